import { ApiError } from './api.ts'

/** Logs what failed, and says it in a sentence, with the reason where there is one that a person can act on. */
export function failure(what: string, error: unknown): string {
  console.error(`${what}:`, error)
  const reason = error instanceof ApiError ? error.reason : 'No connection'
  return reason ? `${what}: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}` : what
}
