import { type Database, openDatabase } from '../db/database.ts'

/**
 * Connections for search alone: however much is looked for, the others are there for those who write. A search that
 * takes too long is ended by the database itself. What the planner guesses about keys is worth nothing, so it is told:
 * by the index, row by row, newest first.
 */
export const openSearchDatabase = (url: string, onError: (error: Error) => void): Database =>
  openDatabase(url, {
    onError,
    max: 4,
    settings: {
      statement_timeout: '2500',
      enable_seqscan: 'off',
      enable_hashjoin: 'off',
      enable_mergejoin: 'off',
    },
  })

/** Whether the database ended a query that took too long. */
export const isStatementTimeout = (error: unknown) => (error as { code?: string }).code === '57014'
