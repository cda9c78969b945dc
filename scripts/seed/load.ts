import type pg from 'pg'
import { v7 as uuid } from 'uuid'
import { fold } from '../../contract/fold.ts'

export interface Line {
  userId: string
  content: string
  /** Milliseconds since 1970. */
  at: number
}

/** Rows per transaction, which bounds memory and the time that a channel is locked. */
const BATCH = 5000

/**
 * Stores messages in a channel like the server's writer (lock, number, insert, update the channel and its authors' read
 * cursors), but thousands per transaction and with past times.
 * @param lines oldest first
 * @returns how many were stored
 */
export async function loadMessages(pool: pg.Pool, channelId: string, lines: Iterable<Line>): Promise<number> {
  const client = await pool.connect()
  let count = 0
  let batch: Line[] = []
  try {
    for (const line of lines) {
      if (batch.push(line) < BATCH) continue
      await store(client, channelId, batch)
      count += batch.length
      batch = []
    }
    if (batch.length > 0) await store(client, channelId, batch)
    return count + batch.length
  } finally {
    client.release()
  }
}

async function store(client: pg.PoolClient, channelId: string, lines: Line[]) {
  await client.query('begin')
  try {
    await client.query('select 1 from channels where id = $1 for no key update', [channelId])
    await client.query(STORE, [
      channelId,
      lines.map(({ at }) => uuid({ msecs: at })),
      lines.map(({ userId }) => userId),
      lines.map(({ content }) => content),
      lines.map(({ at }) => at),
      lines.map(({ content }) => fold(content)),
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

// Runs under the lock with a fresh snapshot. A running server notices the transaction that changed `rev`.
const STORE = `
  with loaded as (
    select g.id, author, content, to_timestamp(at / 1000) as at, text, n, c.seq + n as seq, c.rev + n as rev
    from unnest($2::uuid[], $3::text[], $4::text[], $5::float8[], $6::text[])
      with ordinality as g(id, author, content, at, text, n), channels c
    where c.id = $1
  ), added as (
    insert into messages (id, "channelId", "userId", content, "clientId", seq, rev, "createdAt", "updatedAt")
    select id, $1, author, content, 'seed-' || id, seq, rev, at, at from loaded order by n
  ), indexed as (
    insert into message_search ("messageId", "channelId", text) select id, $1, text from loaded order by n
  ), moved as (
    update channels c
    set seq = newest.seq, rev = newest.rev, "changedAt" = clock_timestamp(), "lastMessageAt" = newest.at
    from (select max(seq) as seq, max(rev) as rev, max(at) as at from loaded) newest where c.id = $1
  )
  update memberships m set "lastReadSeq" = own.seq
  from (select author, max(seq) as seq from loaded group by author) own
  where m."channelId" = $1 and m."userId" = own.author`
