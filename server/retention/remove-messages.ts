import { sql, type Transaction } from 'kysely'
import type { DB } from '../db/schema.ts'

/** Messages scanned per statement; messages removed per transaction; rows of other tables removed per transaction. */
const WINDOW = 2000
export const BATCH = 200
const ROWS = 1000

/** Rows deleted along with a message, which may have many of them. */
const DEPENDENTS = [
  { table: 'reactions', column: 'messageId' },
  { table: 'mentions', column: 'messageId' },
  { table: 'thread_follows', column: 'threadId' },
  { table: 'later_items', column: 'messageId' },
  { table: 'message_versions', column: 'messageId' },
] as const

export interface Removed {
  messages: number
  files: number
  bytes: number
}

interface Window {
  /** The last `seq` scanned; null at the end of the channel. */
  end: number | null
  ids: string[]
}

/**
 * The next messages of a channel that are older than `cutoff`, without replies. A thread is kept as a whole until its last reply
 * is old, and if a person in it is held.
 */
export async function nextExpired(
  tx: Transaction<DB>,
  channelId: string,
  cutoff: string,
  from: number,
): Promise<Window> {
  const { rows } = await sql<Window>`
    select max(seq) as end, coalesce(array_agg(id order by seq) filter (where
      coalesce("lastReplyAt", "createdAt") < ${cutoff}::timestamptz and "createdAt" < ${cutoff}::timestamptz
      and not exists (select from holds h where h."userId" = m."userId")
      and ("lastReplyAt" is null or not exists (
        select from messages r join holds h on h."userId" = r."userId" where r."threadId" = m.id
      ))), '{}') as ids
    from (
      select id, seq, "userId", "createdAt", "lastReplyAt" from messages
      where "channelId" = ${channelId}::uuid and "threadId" is null and seq > ${from} order by seq limit ${sql.lit(WINDOW)}
    ) m
  `.execute(tx)
  return rows[0] as Window
}

/**
 * Removes some of these messages and of the rows that belong to them; replies precede their parents. To keep statements short,
 * none removes more rows than a batch. @returns what was removed, and whether that was all
 */
export async function removeSome(tx: Transaction<DB>, parents: string[]): Promise<Removed & { isDone: boolean }> {
  const any = (ids: string[]) => sql<string>`any(${ids}::uuid[])`
  const replies = await tx
    .selectFrom('messages')
    .select('id')
    .where('threadId', '=', any(parents))
    .limit(ROWS)
    .execute()
  const ids = replies.length > 0 ? replies.map(({ id }) => id) : parents
  const gone = await tx
    .updateTable('files')
    .set({ state: 'gone', isShown: false, messageId: null, touchedAt: sql<string>`clock_timestamp()` })
    .where('messageId', '=', any(ids))
    .returning('size')
    .execute()
  const files = { files: gone.length, bytes: gone.reduce((sum, { size }) => sum + size, 0) }
  for (const { table, column } of DEPENDENTS) {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.ref(column)} = any(${ids}::uuid[]) limit ${sql.lit(ROWS)}))`.execute(
      tx,
    )
    if (numAffectedRows === BigInt(ROWS)) return { messages: 0, ...files, isDone: false }
  }
  const { numDeletedRows } = await tx.deleteFrom('messages').where('id', '=', any(ids)).executeTakeFirst()
  return { messages: Number(numDeletedRows), ...files, isDone: replies.length === 0 }
}

/** Removes files that were uploaded without a message. */
export async function removeLooseFiles(
  tx: Transaction<DB>,
  channelId: string,
  cutoff: string,
): Promise<Removed & { isDone: boolean }> {
  const old = tx
    .selectFrom('files')
    .select('id')
    .where('channelId', '=', channelId)
    .where('messageId', 'is', null)
    .where('state', '=', 'ready')
    .where('isShown', '=', true)
    .where('createdAt', '<', cutoff)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('holds').select('holds.id').whereRef('holds.userId', '=', 'files.userId'))),
    )
    .limit(ROWS)
  const gone = await tx
    .updateTable('files')
    .set({ state: 'gone', isShown: false, touchedAt: sql<string>`clock_timestamp()` })
    .where('id', 'in', old)
    .returning('size')
    .execute()
  const bytes = gone.reduce((sum, { size }) => sum + size, 0)
  return { messages: 0, files: gone.length, bytes, isDone: gone.length < ROWS }
}

/** Removes search index blocks without any text. @returns whether more may remain */
export async function removeEmptyBlocks(tx: Transaction<DB>, channelId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from search_blocks where id = any(array(
    select b.id from search_blocks b where b."channelId" = ${channelId}::uuid
      and not exists (select from message_search t where t.block = b.id) limit ${sql.lit(ROWS)}))`.execute(tx)
  return numAffectedRows === BigInt(ROWS)
}
