import * as z from 'zod/mini'
import type { TextValues } from './text-values.ts'

/** Every stable error code; `reason` says more. */
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
  'too_many_tokens',
  'export_running',
  'import_open',
  'import_state',
  'already_held',
  'archived',
  'muted',
  'not_archived',
  'client_id_reused',
  'deleted',
  'edit_conflict',
  'no_password',
  'two_factor_state',
  'second_factor_needed',
  'second_factor_first',
  'fresh_sign_in_needed',
  'handover_open',
  'owner_hands_over',
  'account_provided',
  'passkey_setup_ended',
  'too_many_passkeys',
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

/** The texts of languages/en.json for refusals, 'errors.REASON'. Those that are about a field of the input take `field`. */
type RefusalText = Extract<keyof TextValues, `errors.${string}`>
type ValuesOf<Id extends RefusalText> = Omit<TextValues[Id], 'field'>
type ArgumentsOf<Id extends RefusalText> = keyof ValuesOf<Id> extends never ? [] : [values: ValuesOf<Id>]
/** Those that take no other values. */
export type PlainRefusal = { [Id in RefusalText]: keyof ValuesOf<Id> extends never ? Id : never }[RefusalText]

/** The fields of the input that have a name for people. */
export const namedFields = [
  'errors.field.content',
  'errors.field.email',
  'errors.field.emoji',
  'errors.field.file',
  'errors.field.members',
  'errors.field.name',
  'errors.field.topic',
  'errors.field.username',
] as const satisfies RefusalText[]

/** Why something is refused. Finer than a code; new reasons may appear, so programs fall back to the code. */
export const Problem = z.object({
  /** The languages have its text as 'errors.REASON'. */
  reason: z.string(),
  /** What the text takes: limits, names. */
  values: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
})
export type Problem = z.output<typeof Problem>

export const problem = <Id extends RefusalText>(id: Id, ...[values]: ArgumentsOf<Id>): Problem => ({
  reason: id.slice('errors.'.length),
  ...(values && { values: values as Record<string, string | number> }),
})

/** A problem as the error text of a schema; `readProblem` reads it again. */
export const fieldProblem = <Id extends RefusalText>(id: Id, ...values: ArgumentsOf<Id>): string =>
  JSON.stringify(problem(id, ...values))
/** The problem of a schema's issue; the schema library's own errors have no reason of ours. */
export const readProblem = (text: string): Problem =>
  text.startsWith('{') ? (JSON.parse(text) as Problem) : problem('errors.invalidInput')

/**
 * The body of every error response. `message` and `fields` are English, for programs and logs; `reason`, `values` and
 * `problems` say the same in a form that can be told in any language. `fields` and `problems` are by path of the input.
 */
export const ErrorReply = z.object({
  error: z.object({
    code: z.enum(errorCodes),
    ...z.partial(Problem).shape,
    message: z.string(),
    fields: z.optional(z.record(z.string(), z.string())),
    problems: z.optional(z.record(z.string(), Problem)),
    requestId: z.optional(z.string()),
  }),
})
export type ErrorReply = z.output<typeof ErrorReply>
