import { DatabaseError } from 'pg'
import type { Logger } from '../process/logger.ts'

/** A constraint of the database, such as a unique name, or an error raised by our triggers. */
const REFUSED_BY_DATABASE = /^(23|P0001)/

/** Whether the database enforced a constraint, for example because two people chose the same name concurrently. */
export const isRefusedByDatabase = (error: unknown) =>
  error instanceof DatabaseError && REFUSED_BY_DATABASE.test(error.code ?? '')

const REFUSED_ORIGIN = /^Invalid origin: /

/** The error in a log call of the library, which sometimes passes it in place of the message. */
export const loggedError = (message: unknown, more: unknown[]) =>
  [message, ...more].find((it): it is Error => it instanceof Error)

/** The logger of the identity library. Rows refused by the database are logged as warnings. */
export const libraryLog = (log: Logger) => (level: keyof Logger, message: string, more: unknown[]) => {
  // `http/refused-origins.ts` logs it once, with our address.
  if (REFUSED_ORIGIN.test(message)) return
  const error = loggedError(message, more)
  if (!error) return log[level](more.length > 0 ? { more } : {}, message)
  const text = typeof message === 'string' ? message : 'the identity library failed'
  log[isRefusedByDatabase(error) ? 'warn' : level]({ err: error }, text)
}
