import type { Problem } from '#contract/errors'
import { isText, t } from '../i18n/text.ts'
import type { ErrorReason } from '../session/session.ts'
import { ApiError } from './api.ts'

/** The name of a field of the input; undefined if it means nothing to people, like 'ownerId'. */
const fieldName = (field: string) => refusalText(`field.${field}`, undefined)

/** Why the server refused, in the language that is shown; in English if this page does not know the reason. */
export function reasonText({ reply }: { reply: ErrorReason | undefined }): string | undefined {
  if (!reply) return undefined
  const field = Object.keys(reply.problems ?? {}).find(fieldName)
  return (field && problemText(reply.problems?.[field], field)) ?? problemText(reply) ?? reply.message
}

/** The problem of a field of the input, such as 'The name is reserved'. */
export const fieldText = (error: unknown, field: string) =>
  error instanceof ApiError ? problemText(error.reply?.problems?.[field], field) : undefined

function problemText(
  problem: { reason?: string | undefined; values?: Problem['values'] } | undefined,
  field?: string,
): string | undefined {
  return (
    problem && refusalText(problem.reason, { ...problem.values, ...(field && { field: fieldName(field) ?? field }) })
  )
}

/** The text of a reason; undefined if this page does not know it. */
export function refusalText(reason: string | undefined, values: Problem['values']): string | undefined {
  const id = `errors.${reason}`
  try {
    return isText(id) ? t(id as 'errors.malformed', values as { detail: string }) : undefined
  } catch {
    // A server of another version may send other values than this page's text takes.
    return undefined
  }
}

/** A sentence for what failed, with the server's reason if it gave one. */
export function failureText(what: string, error: unknown): string {
  const why = error instanceof ApiError && reasonText(error)
  return why ? because(what, why) : what
}

/** Logs what failed and returns a sentence for it; without a response the reason is the connection. */
export function logFailure(what: string, error: unknown): string {
  console.error(`${what}:`, error)
  return explainFailure(what, error)
}

export const explainFailure = (what: string, error: unknown) =>
  error instanceof ApiError ? failureText(what, error) : because(what, t('failures.noConnection'))

/** Ends a sentence, for use beside another one. */
export const withFullStop = (sentence: string) =>
  /[.。]$/.test(sentence) ? sentence : t('failures.sentence', { text: sentence })

/** Some languages continue in lower case after a colon. */
const because = (what: string, why: string) =>
  t('failures.because', { what, why: t('language.afterColon') === 'lower' ? lowerFirst(why) : why })

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)
