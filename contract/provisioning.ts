import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, Time } from './ids.ts'
import { limits } from './limits.ts'
import { seenText } from './text.ts'

/** A valid token that a directory uses to provision people (SCIM), without its secret. */
export const ProvisioningToken = z.object({
  id: Id,
  name: z.string(),
  createdAt: Time,
  lastUsedAt: z.nullable(Time),
})
export type ProvisioningToken = z.output<typeof ProvisioningToken>

export const listProvisioningTokens = endpoint({
  method: 'GET',
  path: '/api/provisioning-tokens',
  summary: 'Valid tokens of directories that provision people by SCIM, newest first. For the owner.',
  reply: z.array(ProvisioningToken),
})

export const createProvisioningToken = endpoint({
  method: 'POST',
  path: '/api/provisioning-tokens',
  summary:
    'Create a token with which a directory provisions people by SCIM. Its `token` is returned only once. For the owner.',
  body: z.object({ name: seenText(limits.provisioning.name) }),
  status: 201,
  reply: z.extend(ProvisioningToken, { token: z.string() }),
})

export const revokeProvisioningToken = endpoint({
  method: 'DELETE',
  path: '/api/provisioning-tokens/:tokenId',
  summary: 'Revoke a token of a directory; the people it provisioned stay. For the owner.',
  params: z.object({ tokenId: Id }),
  status: 204,
  reply: z.undefined(),
})
