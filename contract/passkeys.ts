import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, Time } from './ids.ts'
import { limits } from './limits.ts'
import { seenText } from './text.ts'
import { Confirmation } from './two-factor.ts'

const path = '/api/passkeys'
const params = z.object({ passkeyId: Id })
const name = seenText(limits.passkeys.name)

/** A key on a device or in a password manager, which signs in without a password. */
export const Passkey = z.object({
  id: Id,
  name: z.string(),
  createdAt: Time,
  lastUsedAt: z.nullable(Time),
})
export type Passkey = z.output<typeof Passkey>

export const listPasskeys = endpoint({
  method: 'GET',
  path,
  summary: 'My passkeys, the oldest first.',
  reply: z.array(Passkey),
})

export const beginPasskey = endpoint({
  method: 'POST',
  path: `${path}/setup`,
  summary: 'Begin to add a passkey: the options of WebAuthn that the browser creates it with, within five minutes.',
  body: Confirmation,
  status: 201,
  reply: z.record(z.string(), z.unknown()),
})

export const addPasskey = endpoint({
  method: 'POST',
  path,
  summary: 'Add the passkey that the browser has created.',
  body: z.object({
    name,
    /** `RegistrationResponseJSON` of WebAuthn. */
    response: z.record(z.string(), z.unknown()),
  }),
  status: 201,
  reply: Passkey,
})

export const renamePasskey = endpoint({
  method: 'PATCH',
  path: `${path}/:passkeyId`,
  summary: 'Rename one of my passkeys.',
  params,
  body: z.object({ name }),
  reply: Passkey,
})

export const removePasskey = endpoint({
  method: 'DELETE',
  path: `${path}/:passkeyId`,
  summary: 'Remove one of my passkeys: it signs in no more.',
  params,
  status: 204,
  reply: z.undefined(),
})
