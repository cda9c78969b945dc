import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../db/database.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { startParley } from '../test/support/parley.ts'
import { createListReader } from './channel-list.ts'

const parley = await startParley()

/** A node of PostgreSQL's EXPLAIN output. */
interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

test('a list reads only its user’s direct messages', async () => {
  const { ada, bob } = await parley.people('ada', 'bob')
  const { body: own } = await ada.post('/api/channels', { name: 'dm-ada-bob', isPrivate: true, members: [bob.id] })
  // Storing so many people takes longer than a query may.
  const database = openDatabase(parley.databaseUrl, { onError: () => {}, max: 1, timeoutMs: 0 })
  atEnd(() => database.db.destroy())
  const { db, pool } = database
  await sql`insert into users (id, name, email, username)
    select 'user' || n, 'user' || n, n || '@example.com', 'user' || n from generate_series(1, 500) n`.execute(db)
  await sql`insert into channels (id, kind, name, "directKey")
    select gen_random_uuid(), 'direct', 'dm', n from generate_series(1, 5000) n`.execute(db)
  await sql`insert into memberships ("channelId", "userId")
    select id, 'user' || 1 + "directKey"::int % 500 from channels where "directKey" ~ '^[0-9]+$'`.execute(db)
  await sql`analyze channels, memberships`.execute(db)

  const read = createListReader(database)
  // After six runs the plan is the one that PostgreSQL keeps.
  for (let times = 1; times <= 6; times++) {
    const { direct } = await read(ada.id, { page: 1, limit: 50 })
    expect(direct.map(({ id }) => id)).toEqual([own.id])
  }
  const { rows } = await pool.query(
    `explain (analyze, format json) execute list_channels(${[ada.id, '51', '0'].map((it) => `'${it}'`).join()})`,
  )
  const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
  const looked = nodes
    .filter((node) => node['Relation Name'] === 'channels')
    .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
  expect(Math.max(...looked)).toBeLessThan(100)
})
