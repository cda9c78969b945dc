import { type Database, openDatabase } from '../db/database.ts'

/**
 * Connections for search alone, so that searches cannot starve other queries. The database ends a search that takes too
 * long. The planner cannot estimate the frequency of keys, so these settings force index scans and nested loops.
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
