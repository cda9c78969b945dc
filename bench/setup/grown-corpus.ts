import type pg from 'pg'
import { makeChannel } from '../../server/demo/channels.ts'
import { factKey } from '../../server/search/ngrams.ts'
import { type Corpus, indexed } from './message-corpus.ts'

/** Interval between two copies; longer than a corpus. */
const COPY_INTERVAL_MS = 300 * 24 * 3600 * 1000

/**
 * Creates a corpus of the same people with `copies` of each message, one after the other in time, indexed for search. Copying
 * rows and building the index at the end takes minutes; the server's own indexing would take hours.
 */
export async function growCorpus(pool: pg.Pool, small: Corpus, copies: number): Promise<Corpus> {
  const client = await pool.connect()
  try {
    await client.query(FUNCTIONS)
    await client.query('drop index search_blocks_grams')
    const channels: string[] = []
    for (const channel of small.channels) channels.push(await copyChannel(pool, client, channel, copies))
    await client.query(`set maintenance_work_mem = '1GB'`)
    await client.query(INDEX)
    await indexed(pool)
    await client.query('vacuum analyze')
    await client.query('checkpoint')
    return { ...small, size: small.size * copies, channels, largest: channels[0] as string }
  } finally {
    client.release()
  }
}

async function copyChannel(pool: pg.Pool, client: pg.PoolClient, from: string, copies: number): Promise<string> {
  const { rows } = await pool.query<{ userId: string }>('select "userId" from memberships where "channelId" = $1', [
    from,
  ])
  const plan = { name: `${copies}-times-${from}`, about: '', topics: [], part: 1, isPrivate: true }
  const ids = rows.map(({ userId }) => userId)
  const to = await makeChannel(pool, plan, ids, new Date(Date.now() - (copies + 1) * COPY_INTERVAL_MS))
  for (let copy = 0; copy < copies; copy++) {
    const shiftMs = (copy - copies) * COPY_INTERVAL_MS
    const { rows: before } = await client.query<{ id: string }>('select coalesce(max(id), 0) as id from search_blocks')
    const offset = before[0]?.id
    await client.query(MESSAGES, [from, to, shiftMs, copy])
    await client.query(BLOCKS, [from, to, shiftMs, offset, factKey('channel', from), factKey('channel', to)])
    await client.query(TEXTS, [from, to, shiftMs, offset])
  }
  await client.query(
    `select setval(pg_get_serial_sequence('search_blocks', 'id'), (select max(id) from search_blocks))`,
  )
  await client.query(
    `update channels c set seq = s.seq * $3, rev = s.seq * $3, "changedAt" = clock_timestamp() from channels s
     where c.id = $2 and s.id = $1`,
    [from, to, copies],
  )
  await client.query(
    'update memberships set "lastReadSeq" = (select seq from channels where id = $1) where "channelId" = $1',
    [to],
  )
  return to
}

/** A message's id starts with its time. */
const FUNCTIONS = `
  create or replace function pg_temp.moved(id uuid, ms bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint + ms), 12, '0')
      || substr(replace(id::text, '-', ''), 13))::uuid
  $$;
  create or replace function pg_temp.moved(at timestamptz, ms bigint) returns timestamptz language sql immutable as $$
    select to_timestamp(extract(epoch from at) + ms / 1000.0)
  $$`

const MESSAGES = `
  insert into messages (id, "channelId", "userId", content, "clientId", seq, rev, "createdAt", "updatedAt")
  select pg_temp.moved(id, $3), $2, "userId", content, 'copy-' || $4::bigint || '-' || id, seq + n, seq + n,
    pg_temp.moved("createdAt", $3), pg_temp.moved("createdAt", $3)
  from messages, (select seq * $4::bigint as n from channels where id = $1) as earlier
  where "channelId" = $1 order by seq`

const BLOCKS = `
  insert into search_blocks (id, "channelId", oldest, newest, grams)
  select id + $4, $2, pg_temp.moved(oldest, $3), pg_temp.moved(newest, $3), array_replace(grams, $5::integer, $6::integer)
  from search_blocks where "channelId" = $1 order by id`

const TEXTS = `
  insert into message_search ("messageId", "channelId", text, block)
  select pg_temp.moved("messageId", $3), $2, text, block + $4 from message_search where "channelId" = $1 order by "messageId"`

const INDEX =
  'create index "search_blocks_grams" on search_blocks using gin (grams) with (gin_pending_list_limit = 16384)'
