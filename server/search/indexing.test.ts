import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWriterFixture } from '../test/support/writer-fixture.ts'
import { indexOnce } from './indexing.ts'

const TEXTS = 2500
const BATCH = 300

test('two nodes indexing concurrently put each text into one block, and leave no block empty', async () => {
  const ledger = await openWriterFixture()
  const people = await ledger.addPeople('ada')
  const [channelId] = await ledger.addChannels(1, people)
  await sql`
    with added as (
      insert into messages (id, "channelId", "userId", content, seq, rev)
      select gen_random_uuid(), ${channelId}, ${people[0]}, 'text ' || n, n, n from generate_series(1, ${sql.lit(TEXTS)}) n
      returning id, "channelId", content
    )
    insert into message_search ("messageId", "channelId", text) select * from added`.execute(ledger.db)
  const waiting = async () => {
    const left = ledger.db.selectFrom('message_search').select('messageId').where('block', 'is', null).limit(1)
    return (await left.execute()).length > 0
  }
  const nodes = [ledger.openWriter(), ledger.openWriter()]
  await Promise.all(
    nodes.map(async ({ db }) => {
      while (await waiting()) await indexOnce(db, { worthwhile: 1, batch: BATCH })
    }),
  )
  const { rows } = await sql<{ blocks: number; empty: number }>`
    select count(*)::integer as blocks, count(*) filter (where texts = 0)::integer as empty
    from (select (select count(*) from message_search where block = search_blocks.id) as texts from search_blocks) each
  `.execute(ledger.db)
  expect(rows).toEqual([{ blocks: expect.any(Number), empty: 0 }])
  expect(rows[0]?.blocks).toBeGreaterThan(0)
})
