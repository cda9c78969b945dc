import type { Logger } from '../process/logger.ts'

/** A rule of the database, such as a unique name, or one of our triggers. */
const REFUSED_BY_DATABASE = /^(23|P0001)/

interface DatabaseError extends Error {
  code?: string
  constraint?: string
}

/**
 * The log of the identity library. Rows that the database refuses are no failures: two people may want the same name at once.
 * The database's details are left out, because they repeat what people typed.
 */
export const libraryLog = (log: Logger) => (level: keyof Logger, message: string, more: unknown[]) => {
  const error: DatabaseError | undefined = more.find((it) => it instanceof Error)
  if (!error) return log[level]({ more }, message)
  const { code, constraint, stack } = error
  const isRefused = REFUSED_BY_DATABASE.test(code ?? '')
  const err = Object.assign(new Error(error.message), { stack, code, constraint })
  log[isRefused ? 'warn' : level]({ err }, message)
}
