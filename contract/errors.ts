import * as z from 'zod/mini'
import type { TextValues } from './text-values.ts'

/** Every stable error code; `reason` is more specific. */
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
  'too_many_pins',
  'too_many_keywords',
  'too_many_later',
  'too_many_scheduled',
  'too_many_emoji',
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
  'push_off',
  'push_key_changed',
  'two_factor_state',
  'second_factor_needed',
  'second_factor_first',
  'fresh_sign_in_needed',
  'handover_open',
  'owner_hands_over',
  'sign_up_fixed',
  'link_previews_fixed',
  'not_new',
  'on_hold',
  'demo_busy',
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

/** The error texts of languages/en.json, 'errors.REASON'. Those about an input field take `field`. */
type RefusalText = Extract<keyof TextValues, `errors.${string}`>
type ValuesOf<Id extends RefusalText> = Omit<TextValues[Id], 'field'>
type ArgumentsOf<Id extends RefusalText> = keyof ValuesOf<Id> extends never ? [] : [values: ValuesOf<Id>]
/** Those that take no other values. */
export type PlainRefusal = { [Id in RefusalText]: keyof ValuesOf<Id> extends never ? Id : never }[RefusalText]

/** Input fields with a human-readable name. */
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

/** Why a request was rejected. Finer than a code; new reasons may appear, so programs fall back to the code. */
export const Problem = z.object({
  /** The languages contain its text as 'errors.REASON'. */
  reason: z.string(),
  /** Placeholders of the text: limits, names. */
  values: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
})
export type Problem = z.output<typeof Problem>

export const problem = <Id extends RefusalText>(id: Id, ...[values]: ArgumentsOf<Id>): Problem => ({
  reason: id.slice('errors.'.length),
  ...(values && { values: values as Record<string, string | number> }),
})

/** Encodes a problem as a schema's error text, for `readProblem`. */
export const fieldProblem = <Id extends RefusalText>(id: Id, ...values: ArgumentsOf<Id>): string =>
  JSON.stringify(problem(id, ...values))
/** Decodes the problem of a schema's issue; errors of the schema library itself have no reason of ours. */
export const readProblem = (text: string): Problem =>
  text.startsWith('{') ? (JSON.parse(text) as Problem) : problem('errors.invalidInput')

/**
 * The body of every error response. `message` and `fields` are English, for programs and logs; `reason`, `values` and `problems`
 * carry the same in a translatable form. `fields` and `problems` are keyed by input path.
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
