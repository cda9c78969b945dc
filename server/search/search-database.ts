import { type Database, openDatabase } from '../db/database.ts'

/**
 * Dedicated connections for search, so that searches cannot starve other queries. The database cancels searches that take too
 * long. The planner cannot estimate how frequent keys are, so these settings force index scans and nested loops.
 */
export const openSearchDatabase = (url: string, onError: (error: Error) => void, max: number): Database =>
  openDatabase(url, {
    onError,
    max,
    settings: {
      statement_timeout: '2500',
      enable_seqscan: 'off',
      enable_hashjoin: 'off',
      enable_mergejoin: 'off',
    },
  })

export const isStatementTimeout = (error: unknown) => (error as { code?: string }).code === '57014'
