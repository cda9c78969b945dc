import type { ErrorCode } from '#contract/errors'

/** An answer that is not a success: thrown anywhere, told once by the error handler of app.ts. */
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
export const unauthenticated = () => new AppError(401, 'unauthenticated', 'Sign in to do this')
export const notAMember = () => new AppError(403, 'not_a_member', 'Join the channel to do this')
export const forbidden = () => new AppError(403, 'forbidden', 'You are not allowed to do that')
/** Also where the existence of a thing is private. */
export const notFound = (what: string) => new AppError(404, 'not_found', `${what} not found`)
export const conflict = (code: ErrorCode, message: string) => new AppError(409, code, message)
/** @param retryAfter seconds */
export const tooMuch = (retryAfter: number) =>
  new AppError(429, 'rate_limited', 'Too many requests; try again in a moment', { retryAfter })
/** More is waiting here than can be done in time. */
export const busy = () =>
  new AppError(503, 'unavailable', 'The server is busy; try again in a moment', { retryAfter: 2 })
export const storageFull = () =>
  new AppError(507, 'storage_full', 'The server has no space left for files; tell its administrator')
export const storageUnavailable = () =>
  new AppError(503, 'unavailable', 'The file store does not respond; try again in a moment', { retryAfter: 5 })
export const unavailable = () =>
  new AppError(503, 'unavailable', 'The database does not respond; try again in a moment', { retryAfter: 2 })
