import * as z from 'zod/mini'

/** Every stable error code; the message explains it to people. */
export const errorCodes = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_a_member',
  'not_found',
  'method_not_allowed',
  'name_taken',
  'username_taken',
  'already_member',
  'owner_cannot_leave',
  'everyone_stays',
  'not_a_parent',
  'too_many_reactions',
  'too_many_invites',
  'client_id_reused',
  'deleted',
  'edit_conflict',
  'no_such_file',
  'file_attached',
  'too_large',
  'bad_range',
  'rate_limited',
  'quota_exceeded',
  'storage_full',
  'no_speech',
  'nothing_to_say',
  'unavailable',
  'internal',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** The body of every error response. `fields` maps paths of the input to what is wrong there. */
export const ErrorReply = z.object({
  error: z.object({
    code: z.enum(errorCodes),
    message: z.string(),
    fields: z.optional(z.record(z.string(), z.string())),
    requestId: z.optional(z.string()),
  }),
})
export type ErrorReply = z.output<typeof ErrorReply>
