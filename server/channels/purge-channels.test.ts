import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { openWriterFixture, upTo } from '../test/support/writer-fixture.ts'
import { purgeOnce } from './purge-channels.ts'

/** The most rows of a table that one transaction may delete. */
const MAX_ROWS = 1000
const TABLES = ['messages', 'message_search', 'reactions', 'mentions', 'thread_follows', 'later_items', 'search_blocks']

let ledger: Awaited<ReturnType<typeof openWriterFixture>>
let people: string[]

beforeAll(async () => {
  ledger = await openWriterFixture()
  people = await ledger.addPeople(...upTo(40).map((n) => `person${n}`))
  await sql`
    create table purged (relation text, "transaction" xid8);
    create function note_purged() returns trigger language plpgsql as $$
    begin
      insert into purged values (tg_table_name, pg_current_xact_id());
      return null;
    end $$`.execute(ledger.db)
  for (const table of TABLES)
    await sql`create trigger note_purged after delete on ${sql.table(table)} for each row execute function note_purged()`.execute(
      ledger.db,
    )
})

const count = async (table: string, channelId: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table)} where "channelId" = ${channelId}`.execute(ledger.db)
  return rows[0]?.count
}

/** A channel of 5,000 messages, half of them in one thread, with everything that can belong to a message. */
async function addLargeChannel(): Promise<string> {
  const { db } = ledger
  const [channelId] = (await ledger.addChannels(1, people)) as [string]
  await sql`
    insert into messages (id, "channelId", "userId", content, seq, rev)
    select gen_random_uuid(), ${channelId}, ${people[0]}, 'x', n, n from generate_series(1, 2500) n`.execute(db)
  await sql`
    insert into messages (id, "channelId", "userId", content, seq, rev, "threadId")
    select gen_random_uuid(), "channelId", "userId", 'x', n, 2500 + n, id
    from messages, generate_series(1, 2500) n where "channelId" = ${channelId} and rev = 1`.execute(db)
  const messages = sql`from messages where "channelId" = ${channelId}`
  await sql`insert into message_search ("messageId", "channelId", text) select id, "channelId", 'x' ${messages}`.execute(
    db,
  )
  await sql`
    insert into mentions ("messageId", "channelId", seq, "authorId", "userId")
    select id, "channelId", seq, "userId", person
    from messages, unnest(${people}::text[]) person where "channelId" = ${channelId} and rev <= 50`.execute(db)
  await sql`
    insert into reactions ("messageId", emoji, "userId")
    select id, '👍', person from messages, unnest(${people}::text[]) person
    where "channelId" = ${channelId} and rev <= 50`.execute(db)
  await sql`
    insert into thread_follows ("threadId", "userId")
    select id, person from messages, unnest(${people}::text[]) person
    where "channelId" = ${channelId} and rev <= 50`.execute(db)
  await sql`
    insert into later_items (id, "messageId", "userId")
    select gen_random_uuid(), id, person from messages, unnest(${people}::text[]) person
    where "channelId" = ${channelId} and rev <= 50`.execute(db)
  await sql`
    insert into search_blocks ("channelId", oldest, newest, grams)
    select ${channelId}, gen_random_uuid(), gen_random_uuid(), '{1}' from generate_series(1, 1500)`.execute(db)
  await db.updateTable('channels').set({ deletedAt: '2020-01-01' }).where('id', '=', channelId).execute()
  return channelId
}

test('two nodes purge a large channel in small transactions, and nothing of it is left', async () => {
  const channelId = await addLargeChannel()
  const [kept] = (await ledger.addChannels(1, people)) as [string]
  const nodes = [ledger.openWriter(), ledger.openWriter()]
  await Promise.all(
    nodes.map(async ({ db }) => {
      while (await purgeOnce(db));
    }),
  )
  const { rows } = await sql<{ relation: string; total: number; largest: number }>`
    select relation, sum(rows)::integer as total, max(rows)::integer as largest
    from (select relation, count(*) as rows from purged group by relation, "transaction") each group by relation
  `.execute(ledger.db)
  const totals = Object.fromEntries(rows.map(({ relation, total }) => [relation, total]))
  expect(totals).toEqual({
    messages: 5000,
    message_search: 5000,
    reactions: 2000,
    mentions: 2000,
    thread_follows: 2000,
    later_items: 2000,
    search_blocks: 1500,
  })
  for (const { relation, largest } of rows) expect(largest, relation).toBeLessThanOrEqual(MAX_ROWS)
  const left = ledger.db.selectFrom('channels').select('id').where('id', 'in', [channelId, kept])
  expect(await left.execute()).toEqual([{ id: kept }])
  expect(await count('memberships', channelId)).toBe(0)
  expect(await count('memberships', kept)).toBe(people.length)
})
