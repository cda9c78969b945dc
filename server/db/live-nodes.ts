import { randomBytes } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Db } from './database.ts'
import type { DB } from './schema.ts'

const PREFIX = 'parley node '
/** Nodes query the database every 400 ms. If a node's machine dies, its connections may stay open for hours. */
const MAX_SILENCE_SECONDS = 30

/** A unique name for this node. */
export const newNodeId = () => randomBytes(12).toString('base64url')

/** The application name of a node's connections, by which other nodes recognize it. */
export const connectionName = (node: string) => PREFIX + node

/** The nodes that currently use this database, including this one. Nodes of versions before these names are not included. */
export async function readLiveNodes(db: Db | Transaction<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${PREFIX})
      -- Hidden from other accounts without privileges.
      and (state_change is null or state = 'active'
        or state_change > clock_timestamp() - make_interval(secs => ${sql.lit(MAX_SILENCE_SECONDS)}))`.execute(db)
  return rows.map(({ name }) => name.slice(PREFIX.length))
}
