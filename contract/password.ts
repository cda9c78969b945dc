import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Time, UserId } from './ids.ts'
import { limits } from './limits.ts'

const { min, max } = limits.password

/** Taken literally: no character is removed or changed. */
export const NewPassword = z
  .string()
  .check(
    z.minLength(min, fieldProblem('errors.tooShort', { min })),
    z.maxLength(max, fieldProblem('errors.tooLong', { max })),
  )

export const getPassword = endpoint({
  method: 'GET',
  path: '/api/password',
  summary: 'Whether I have a password. Who signs in with a hosted provider has none.',
  reply: z.object({ isSet: z.boolean() }),
})

export const changePassword = endpoint({
  method: 'PUT',
  path: '/api/password',
  summary: 'Change my password. My other sessions end, unless `endsOtherSessions` is false.',
  body: z.object({
    current: z.string().check(z.maxLength(max, fieldProblem('errors.tooLong', { max }))),
    new: NewPassword,
    endsOtherSessions: z.optional(z.boolean()),
  }),
  status: 204,
  reply: z.undefined(),
})

export const createPasswordReset = endpoint({
  method: 'POST',
  path: '/api/users/:userId/password-reset',
  summary:
    'Create a one-time link with which somebody sets a new password; their earlier one ends. With `endsSecondFactor`, their second factor ends with it. Admins do it for members, the owner for everybody. Its `code` is returned only once.',
  params: z.object({ userId: UserId }),
  body: z.optional(z.object({ endsSecondFactor: z.optional(z.boolean()) })),
  status: 201,
  reply: z.object({ code: z.string(), expiresAt: Time }),
})
