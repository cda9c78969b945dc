import { unavailable } from '../errors.ts'

export const DEADLINE_MS = 4_500

/**
 * Rejects if the work takes too long, for example because the database hangs, so that every request gets a response within
 * five seconds. The work itself continues, so it must be safe to repeat.
 * @throws AppError 503
 */
export function withDeadline<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable(`no answer within ${DEADLINE_MS} ms`)), DEADLINE_MS)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
