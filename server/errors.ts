import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { type ErrorCode, type PlainRefusal, type Problem, problem } from '#contract/errors'
import { ROOT } from './installation.ts'

const english: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'languages/en.json'), 'utf8'))
const formats = new Map<string, IntlMessageFormat>()

/** A refusal in English, for programs and logs. The client shows it in the user's language (`web/api-client/`). */
export function sentenceOf({ reason, values }: Problem): string {
  const text = english[`errors.${reason}`]
  if (text === undefined) throw new Error(`languages/en.json lacks errors.${reason}`)
  let format = formats.get(reason)
  if (!format) {
    format = new IntlMessageFormat(text, 'en')
    formats.set(reason, format)
  }
  return String(format.format(values))
}

/** The same refusal, naming the field of the input that it is about. */
export const withField = ({ reason, values }: Problem, field: string): Problem => ({
  reason,
  values: { ...values, field },
})

/** A refusal of a field, without its name: 'must not be empty'. */
const withoutField = (problem: Problem) => sentenceOf(withField(problem, '')).trimStart()

/** Further ones are omitted: a body can have a hundred thousand wrong values. */
export const MAX_PROBLEMS = 20

/** Problems with the input, by path. */
type Problems = Record<string, Problem>

/** An error response. Throw it anywhere; the error handler in `http/` sends it. */
export class AppError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly problem: Problem
  readonly problems: Problems | undefined
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    code: ErrorCode,
    problem: Problem,
    more: { problems?: Problems | undefined; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(sentenceOf(problem), more.cause === undefined ? undefined : { cause: more.cause })
    this.status = status
    this.code = code
    this.problem = problem
    this.problems = more.problems
    this.retryAfter = more.retryAfter
  }

  /** Messages by path, such as 'must not be empty'. In English, for programs. */
  get fields(): Record<string, string> | undefined {
    const entries = Object.entries(this.problems ?? {}).map(([path, it]) => [path, withoutField(it)])
    return this.problems && Object.fromEntries(entries)
  }
}

/** A problem, or just the key of a text without values. */
export type Why = PlainRefusal | Problem

export const toProblem = (why: Why) => (typeof why === 'string' ? problem(why) : why)

export const invalid = (why: Why, problems?: Problems) => new AppError(400, 'invalid', toProblem(why), { problems })
/** For a single field of the input. */
export const invalidField = (field: string, why: Why) =>
  invalid(withField(toProblem(why), field), { [field]: toProblem(why) })
export const alreadyMember = (why: Why) => new AppError(400, 'already_member', toProblem(why))
export const everyoneStays = (why: Why) => new AppError(400, 'everyone_stays', toProblem(why))
export const ownerCannotLeave = () => new AppError(400, 'owner_cannot_leave', problem('errors.ownerCannotLeave'))
export const notAParent = () => new AppError(400, 'not_a_parent', problem('errors.notAParent'))
export const noSuchFile = () => new AppError(400, 'no_such_file', problem('errors.noSuchFile'))
export const unauthenticated = () => new AppError(401, 'unauthenticated', problem('errors.unauthenticated'))
export const notAMember = () => new AppError(403, 'not_a_member', problem('errors.notAMember'))
export const forbidden = () => new AppError(403, 'forbidden', problem('errors.forbidden'))
/** For irreversible actions of people who have no password to confirm them with. */
export const freshSignInNeeded = () => new AppError(403, 'fresh_sign_in_needed', problem('errors.freshSignInNeeded'))
export const secondFactorNeeded = () => new AppError(403, 'second_factor_needed', problem('errors.secondFactorNeeded'))
/** Refused by a rule of the workspace, the channel or its people. */
export const refusedHere = (why: Why) => new AppError(403, 'forbidden', toProblem(why))
export const muted = () => new AppError(403, 'muted', problem('errors.muted'))
export const archived = () => new AppError(409, 'archived', problem('errors.archived'))
/** Also for things whose existence the user may not know of. */
export const notFound = (why: Why) => new AppError(404, 'not_found', toProblem(why))
export const methodNotAllowed = (methods: string) =>
  new AppError(405, 'method_not_allowed', problem('errors.methodNotAllowed', { methods }))
/** The result of the database function `post_refusal_2`: why a member may not write in a channel. */
export type PostRefusal = 'ended' | 'archived' | 'muted' | 'blocked' | 'not_allowed' | 'not_posting'

export function mayNotPost(why: PostRefusal): AppError {
  switch (why) {
    case 'ended':
      return notFound('errors.channelNotFound')
    case 'archived':
      return archived()
    case 'muted':
      return muted()
    case 'blocked':
      // Neutral, so as not to reveal who blocks whom.
      return refusedHere('errors.notDelivered')
    case 'not_allowed':
      return refusedHere('errors.mayNotPost')
    case 'not_posting':
      return refusedHere('errors.mayNotPostHere')
  }
}

export const conflict = (code: ErrorCode, why: Why) => new AppError(409, code, toProblem(why))
/** @param field the field with the name */
export const nameTaken = (field: string, why: PlainRefusal) =>
  new AppError(409, 'name_taken', problem(why), { problems: { [field]: problem(why) } })
export const usernameTaken = () =>
  new AppError(409, 'username_taken', problem('errors.usernameTaken'), {
    problems: { username: problem('errors.taken') },
  })
/** It looks like somebody else's. */
export const usernameLooksTaken = () =>
  new AppError(409, 'username_taken', problem('errors.usernameLooksTaken'), {
    problems: { username: problem('errors.looksTaken') },
  })
export const requestTooLarge = () => new AppError(413, 'too_large', problem('errors.requestTooLarge'))
export const fileTooLarge = (maxBytes: number) =>
  new AppError(413, 'too_large', problem('errors.fileTooLarge', { max: Math.floor(maxBytes / 1024 / 1024) }))
export const badRange = () => new AppError(416, 'bad_range', problem('errors.badRange'))
/** @param retryAfter seconds */
export const rateLimited = (retryAfter: number, why: Why = 'errors.rateLimited') =>
  new AppError(429, 'rate_limited', toProblem(why), { retryAfter })
export const internal = (why: Why = 'errors.internal') => new AppError(500, 'internal', toProblem(why))
/**
 * Why something failed, for the log: the messages of an error and its causes. Omits an AppError's own message, which is for
 * users, if it has a cause.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  // A host with several IP addresses fails with all their errors.
  const parts = error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : ''
  if (cause === undefined) return message || parts || error.name
  const isForUsers = error instanceof AppError
  return isForUsers ? reasonOf(cause) : `${message || parts || error.name}: ${reasonOf(cause)}`
}

// The `cause` of these is an error or a few words, and only for the log.
/** The queues of this node are too long to finish in time. */
export const busy = (cause: unknown) =>
  new AppError(503, 'unavailable', problem('errors.busy'), { retryAfter: 2, cause })
export const unavailable = (cause: unknown) =>
  new AppError(503, 'unavailable', problem('errors.databaseAway'), { retryAfter: 2, cause })
export const storageUnavailable = (cause: unknown) =>
  new AppError(503, 'unavailable', problem('errors.storageAway'), { retryAfter: 5, cause })
export const uploadStalled = () => invalid('errors.uploadStalled')
export const speechUnavailable = (cause: unknown) =>
  new AppError(503, 'unavailable', problem('errors.speechAway'), { retryAfter: 5, cause })
export const searchTimedOut = (cause: unknown) =>
  new AppError(503, 'unavailable', problem('errors.searchTimedOut'), { retryAfter: 2, cause })
export const quotaExceeded = () => new AppError(507, 'quota_exceeded', problem('errors.quotaExceeded'))
export const storageFull = () => new AppError(507, 'storage_full', problem('errors.storageFull'))
/** The disk of the database is full, and nothing of the request was stored. */
export const diskFull = () => new AppError(507, 'storage_full', problem('errors.diskFull'))
