import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Time } from './ids.ts'
import { limits } from './limits.ts'

/** A single address, never a list or a header. Lower case, as in accounts. */
export const Email = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(254, fieldProblem('errors.notAnAddress')),
    z.regex(/^[^\s@,;:<>()[\]"\\\p{Cc}]{1,64}@[^\s@,;:<>()[\]"\\\p{Cc}]{1,190}$/u, fieldProblem('errors.notAnAddress')),
  )

const { max } = limits.password
const MyEmail = z.object({
  email: z.string(),
  /** Whether a mailed link or the hosted provider has proven that it is mine. */
  isConfirmed: z.boolean(),
  /** The address that replaces it once its link has been followed. */
  pending: z.nullable(z.object({ email: z.string(), expiresAt: Time })),
  /** Whether the server sends mail. */
  sendsMail: z.boolean(),
  /** Whether I can change it here, which takes a password. Otherwise the hosted provider manages it. */
  isMine: z.boolean(),
})
export type MyEmail = z.output<typeof MyEmail>

export const getEmail = endpoint({
  method: 'GET',
  path: '/api/email',
  summary: 'My e-mail address, whether it is confirmed, and the one that may replace it.',
  reply: MyEmail,
})

export const changeEmail = endpoint({
  method: 'PUT',
  path: '/api/email',
  summary:
    'Ask for another e-mail address: a link is mailed there, and a notice to the present one. It changes once the link was followed.',
  body: z.object({
    email: Email,
    password: z.string().check(z.maxLength(max, fieldProblem('errors.tooLong', { max }))),
  }),
  reply: MyEmail,
})

export const cancelEmail = endpoint({
  method: 'DELETE',
  path: '/api/email/pending',
  summary: 'Keep my e-mail address: the link that was mailed to another one ends.',
  status: 204,
  reply: z.undefined(),
})

export const sendConfirmation = endpoint({
  method: 'POST',
  path: '/api/email/confirmation',
  summary: 'Mail a link once more: to the address that is to replace mine, or else to mine if it is not confirmed.',
  reply: MyEmail,
})
