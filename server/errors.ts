import type { ErrorCode } from '#contract/errors'

/** An unsuccessful answer. Throw it anywhere; the error handler of `http/` sends it. */
export class AppError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  /** Seconds after which it makes sense to try again. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    more: { fields?: Record<string, string>; retryAfter?: number } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.fields = more.fields
    this.retryAfter = more.retryAfter
  }
}

export const invalid = (message: string, fields?: Record<string, string>) =>
  new AppError(400, 'invalid', message, fields && { fields })
export const alreadyMember = (message: string) => new AppError(400, 'already_member', message)
export const everyoneStays = (message: string) => new AppError(400, 'everyone_stays', message)
export const ownerCannotLeave = () =>
  new AppError(400, 'owner_cannot_leave', 'You own this channel. To leave, transfer its ownership first.')
export const notAParent = () => new AppError(400, 'not_a_parent', "Replies can't have threads")
export const noSuchFile = () => new AppError(400, 'no_such_file', 'File not found, or not yours')
export const unauthenticated = () => new AppError(401, 'unauthenticated', 'Sign in to do this')
export const notAMember = () => new AppError(403, 'not_a_member', 'Join the channel to do this')
export const forbidden = () => new AppError(403, 'forbidden', "You're not allowed to do this")
/** Also for what the user may not know to exist. */
export const notFound = (what: string) => new AppError(404, 'not_found', `${what} not found`)
export const methodNotAllowed = (allow: string) =>
  new AppError(405, 'method_not_allowed', `Method not allowed; use ${allow}`)
export const conflict = (code: ErrorCode, message: string) => new AppError(409, code, message)
export const usernameTaken = () =>
  new AppError(409, 'username_taken', 'This username is taken', { fields: { username: 'is taken' } })
export const requestTooLarge = () => new AppError(413, 'too_large', 'The request is too large')
export const fileTooLarge = (maxBytes: number) =>
  new AppError(413, 'too_large', `Files can be up to ${Math.floor(maxBytes / 1024 / 1024)} MB`)
export const badRange = () => new AppError(416, 'bad_range', 'Range not satisfiable')
/** @param retryAfter seconds */
export const rateLimited = (retryAfter: number, message = 'Too many requests. Try again in a moment.') =>
  new AppError(429, 'rate_limited', message, { retryAfter })
export const internal = (message = 'Something went wrong on the server. Try again in a moment.') =>
  new AppError(500, 'internal', message)
/** The queues of this node are too long to finish in time. */
export const busy = () =>
  new AppError(503, 'unavailable', 'The server is busy. Try again in a moment.', { retryAfter: 2 })
export const unavailable = () =>
  new AppError(503, 'unavailable', "The database isn't responding. Try again in a moment.", { retryAfter: 2 })
export const storageUnavailable = () =>
  new AppError(503, 'unavailable', "The file storage isn't responding. Try again in a moment.", { retryAfter: 5 })
export const speechUnavailable = () =>
  new AppError(503, 'unavailable', "The speech provider isn't responding. Try again in a moment.", { retryAfter: 5 })
export const searchTimedOut = () =>
  new AppError(503, 'unavailable', 'The search took too long. Try more words, or search one channel.', {
    retryAfter: 2,
  })
export const quotaExceeded = () =>
  new AppError(507, 'quota_exceeded', 'Your storage is full. Delete some files to make room.')
export const storageFull = () =>
  new AppError(507, 'storage_full', 'The server is out of space for files. Tell the owner of this workspace.')
