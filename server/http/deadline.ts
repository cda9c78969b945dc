import { unavailable } from '../errors.ts'

export const DEADLINE_MS = 4_500

/**
 * Waits for work that may hang with a frozen database, but not for long: whoever asked gets an answer within five
 * seconds. The work itself goes on; a repeat of it must do no harm.
 * @throws AppError 503
 */
export function withDeadline<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable()), DEADLINE_MS)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
