import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { Bounds } from '../limits/bounds.ts'
import type { Logger } from '../process/logger.ts'
import type { SearchDatabases } from './find-newest.ts'
import { openSearchDatabase } from './search-database.ts'
import { openSearchReplica } from './search-replica.ts'

interface Options {
  config: Pick<Config, 'databaseConnections' | 'databaseReadUrl'>
  databaseUrl: string
  bounds: Pick<Bounds, 'replica'>
  log: Logger
  registry: Registry
  /** Called for each lost connection to the primary. */
  onError: (error: Error) => void
}

/** Opens the connections of searches: to the primary, and to a replica if there is one. */
export function openSearchDatabases({ config, databaseUrl, bounds, log, registry, onError }: Options) {
  const connections = config.databaseConnections.search
  const { db: primary, pool } = openSearchDatabase(databaseUrl, onError, connections)
  const url = config.databaseReadUrl
  const replica = url
    ? openSearchReplica({ url, primary, connections, bounds: bounds.replica, log, registry })
    : undefined
  const databases: SearchDatabases = { primary, replica }
  const pools: Record<string, pg.Pool> = { search: pool, ...(replica && { search_replica: replica.pool }) }
  return {
    databases,
    pools,
    async close() {
      await replica?.close()
      await primary.destroy()
    },
  }
}
