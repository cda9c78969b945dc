import { setImmediate as nextTick } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'
import { type Block, groupIntoBlocks, indexKeysOf, type UnindexedText } from './blocks.ts'

/** Large batches are cheaper per text, but every search scans the texts not yet indexed. */
const MAX_BATCH_TEXTS = 8000
const MIN_WAITING_TEXTS = 6000
/** The batch shrinks to this size while the database is slow. */
const MIN_BATCH_TEXTS = 500
const POLL_INTERVAL_MS = 1000
/** How often to check without a known change. */
const LOOK_INTERVAL_MS = 10_000
/** Yields to the event loop after this many blocks. */
const BLOCKS_PER_TICK = 8

interface VersionedText extends UnindexedText {
  /** `xmin` of the row that was read. */
  version: string
}

interface Round {
  /** Where the last round ended; skips rows that are indexed but not vacuumed yet. */
  after?: string | undefined
  worthwhile?: number
  batch?: number
}

/** `last`: the id of the last text, if more may be waiting. */
interface Indexed {
  count: number
  last: string | undefined
}

/**
 * Groups waiting texts into blocks, if there are enough and no other node is doing so. A concurrent search finds each text
 * exactly once: still waiting, or in its block.
 */
export async function indexOnce(db: Db, { after, worthwhile, batch = MAX_BATCH_TEXTS }: Round = {}): Promise<Indexed> {
  const least = worthwhile ?? Math.min(MIN_WAITING_TEXTS, batch)
  if (!(await areWaiting(db, after, least))) return { count: 0, last: undefined }
  const indexed = await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('search_blocks')) as "isMine"`.execute(tx)
    const waiting = rows[0]?.isMine ? await readWaiting(tx, after, batch) : []
    if (waiting.length < least) return { count: 0, last: undefined }
    await store(tx, groupIntoBlocks(waiting), new Map(waiting.map(({ messageId, version }) => [messageId, version])))
    return { count: waiting.length, last: waiting.length === batch ? waiting.at(-1)?.messageId : undefined }
  })
  // Every search scans the index's pending list until it is merged.
  if (indexed.count > 0) await sql`select merge_search_keys()`.execute(db)
  return indexed
}

const isAfter = (after: string | undefined) => (after === undefined ? sql`true` : sql`"messageId" > ${after}`)

/** Whether at least `count` texts wait. Reads only an index, because usually they don't. */
async function areWaiting(db: Db, after: string | undefined, count: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from message_search where block is null and ${isAfter(after)}
    order by "messageId" offset ${sql.lit(count - 1)} limit 1`.execute(db)
  return rows.length > 0
}

const readWaiting = async (tx: Transaction<DB>, after: string | undefined, batch: number): Promise<VersionedText[]> =>
  tx
    .selectFrom('message_search')
    .innerJoin('messages', 'messages.id', 'message_search.messageId')
    .select(['messageId', 'message_search.channelId', 'userId', 'text'])
    .select(sql<string>`message_search.xmin::text`.as('version'))
    .where('block', 'is', null)
    .$if(after !== undefined, (query) => query.where('messageId', '>', after as string))
    .orderBy('messageId')
    .limit(batch)
    .execute()

async function store(tx: Transaction<DB>, blocks: Block[], versions: Map<string, string>) {
  const keys: string[] = []
  for (const [i, block] of blocks.entries()) {
    keys.push(`{${indexKeysOf(block).join()}}`)
    if (i % BLOCKS_PER_TICK === BLOCKS_PER_TICK - 1) await nextTick()
  }
  const { rows: ids } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('search_blocks', 'id')) as id
    from generate_series(1, ${sql.lit(blocks.length)})`.execute(tx)
  const numbers = ids.map(({ id }) => id)
  const end = (at: 0 | -1) => blocks.map(({ messages }) => messages.at(at)?.messageId)
  const channels = blocks.map(({ channelId }) => channelId)
  await sql`
    insert into search_blocks (id, "channelId", oldest, newest, grams)
    select id, channel, oldest, newest, grams::integer[] from unnest(
      ${numbers}::bigint[], ${channels}::uuid[], ${end(0)}::uuid[], ${end(-1)}::uuid[], ${keys}::text[]
    ) as block(id, channel, oldest, newest, grams)`.execute(tx)
  // In block order, so that the rows of a block end up next to each other. A text edited in the meantime has another row version
  // and keeps waiting.
  const placed = blocks.flatMap(({ messages }, i) => messages.map(({ messageId: id }) => ({ id, block: numbers[i] })))
  await sql`
    update message_search set block = placed.block
    from unnest(
      ${placed.map(({ id }) => id)}::uuid[], ${placed.map(({ block }) => block)}::bigint[],
      ${placed.map(({ id }) => versions.get(id))}::xid[]
    ) as placed(id, block, version)
    where "messageId" = placed.id and message_search.xmin = placed.version`.execute(tx)
}

interface Indexing {
  /** Call when any node has added or changed texts. */
  wake(): void
  stop(): Promise<void>
}

/** Indexes whenever enough texts wait. */
export function startIndexing({ db, log }: { db: Db; log: Logger }): Indexing {
  let after: string | undefined
  let batch = MAX_BATCH_TEXTS
  let isDue = true
  let lookedAt = 0

  const stop = startPolling(
    { intervalMs: POLL_INTERVAL_MS, log, failure: 'messages could not be indexed' },
    async () => {
      const startedAt = performance.now()
      if (!isDue && startedAt - lookedAt < LOOK_INTERVAL_MS) return undefined
      isDue = false
      lookedAt = startedAt
      const { count, last } = await indexOnce(db, { after, batch }).catch((error) => {
        isDue = true
        after = undefined
        batch = Math.max(MIN_BATCH_TEXTS, batch / 2)
        throw error
      })
      if (count > 0) batch = Math.min(MAX_BATCH_TEXTS, batch * 2)
      // Start over at the end: an older message may have been edited.
      isDue ||= count > 0 || after !== undefined
      after = last
      // Use at most half of the time, to leave the rest to sends.
      return last ? performance.now() - startedAt : undefined
    },
  )

  return {
    wake() {
      isDue = true
    },
    stop,
  }
}
