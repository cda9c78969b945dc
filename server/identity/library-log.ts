import { DatabaseError } from 'pg'
import type { Logger } from '../process/logger.ts'

/** A rule of the database, such as a unique name, or one of our triggers. */
const REFUSED_BY_DATABASE = /^(23|P0001)/

/** Whether the database applied a rule: two people may want the same name at once. */
export const isRefusedByDatabase = (error: unknown) =>
  error instanceof DatabaseError && REFUSED_BY_DATABASE.test(error.code ?? '')

const REFUSED_ORIGIN = /^Invalid origin: /

/** The error among what the library logs, some of which it logs in place of the text. */
export const loggedError = (message: unknown, more: unknown[]) =>
  [message, ...more].find((it): it is Error => it instanceof Error)

/** The log of the identity library. Rows that the database refuses are no failures. */
export const libraryLog = (log: Logger) => (level: keyof Logger, message: string, more: unknown[]) => {
  // `http/refused-origins.ts` logs it once, with our address.
  if (REFUSED_ORIGIN.test(message)) return
  const error = loggedError(message, more)
  if (!error) return log[level](more.length > 0 ? { more } : {}, message)
  const text = typeof message === 'string' ? message : 'the identity library failed'
  log[isRefusedByDatabase(error) ? 'warn' : level]({ err: error }, text)
}
