import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { startParley } from '../test/support/parley.ts'
import { expireAuditLines } from './expire-lines.ts'

const { app, people } = await startParley()
const { db } = app
const { olga, ada, eve } = await people('olga', 'ada', 'eve')

/** Adds lines of these ages, in days. */
async function addLines(...ages: number[]) {
  for (const age of ages)
    await sql`insert into audit_log (kind, at, details, address, "userAgent")
      values ('test', clock_timestamp() - make_interval(days => ${age}), ${JSON.stringify({ age })}::jsonb, '192.0.2.7', 'Firefox')`.execute(
      db,
    )
}
const lines = async () =>
  (
    await db
      .selectFrom('audit_log')
      .select([sql<number>`(details ->> 'age')::int`.as('age'), 'address', 'userAgent'])
      .where('kind', '=', 'test')
      .orderBy('at')
      .execute()
  ).map(({ age, address, userAgent }) => [age, address, userAgent])
const keep = (days: number, addressDays: number) => olga.patch('/api/audit/ages', { days, addressDays })

// The database itself refuses to remove young lines, so tests shorten the ages instead of deleting.
beforeEach(() => keep(400, 90))

test('lines end after 400 days, and their addresses and devices after 90', async () => {
  expect((await ada.get('/api/audit/ages')).status).toBe(403)
  expect((await olga.get('/api/audit/ages')).body).toEqual({ days: 400, addressDays: 90 })
  await addLines(401, 399, 91, 89)
  expect(await expireAuditLines(db)).toBe(false)
  expect(await lines()).toEqual([
    [399, null, null],
    [91, null, null],
    [89, '192.0.2.7', 'Firefox'],
  ])
  // What was done is not done again, and shorter ages count at once.
  await keep(90, 30)
  await expireAuditLines(db)
  expect(await lines()).toEqual([[89, null, null]])
})

test('no statement removes or changes a line that is younger', async () => {
  await addLines(399, 89)
  const refused = /the audit log is only added to/
  await expect(db.deleteFrom('audit_log').where('kind', '=', 'test').execute()).rejects.toThrow(refused)
  for (const change of [{ address: null }, { details: '{}' }, { kind: 'signed_in' }])
    await expect(db.updateTable('audit_log').set(change).where('kind', '=', 'test').execute()).rejects.toThrow(refused)
  await expect(sql`truncate audit_log`.execute(db)).rejects.toThrow(refused)
  expect(await lines()).toContainEqual([89, '192.0.2.7', 'Firefox'])
})

test('the owner sets the ages within bounds, and the log says so', async () => {
  for (const body of [
    { days: 29, addressDays: 1 },
    { days: 400, addressDays: 0 },
    { days: 4000, addressDays: 1 },
    { days: 60, addressDays: 61 },
  ])
    expect((await olga.patch('/api/audit/ages', body)).status, JSON.stringify(body)).toBe(400)
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', eve.id).execute()
  expect((await eve.get('/api/audit/ages')).status).toBe(200)
  expect((await eve.patch('/api/audit/ages', { days: 30, addressDays: 1 })).status).toBe(403)
  expect(await keep(365, 30)).toMatchObject({ status: 200, body: { days: 365, addressDays: 30 } })
  const [line] = (await olga.get('/api/audit?kind=audit_ages_changed')).body.entries
  expect(line).toMatchObject({ actor: { id: olga.id }, details: { days: 365, addressDays: 30 } })
  // Only one of them, as a form sends it that knows an older value of the other.
  expect((await olga.patch('/api/audit/ages', { addressDays: 60 })).body).toEqual({ days: 365, addressDays: 60 })
})

test('batches end with the last old line, and the log is read on without the expired numbers', async () => {
  await sql`insert into audit_log (kind, at) select 'old', clock_timestamp() - interval '500 days'
    from generate_series(1, 1500)`.execute(db)
  expect(await expireAuditLines(db)).toBe(true)
  expect(await expireAuditLines(db)).toBe(false)
  expect((await olga.get('/api/audit?kind=old')).body).toEqual({ entries: [], next: null })
})

test('the lines to remove are found by the index on their age, not by reading the whole log', async () => {
  await sql`insert into audit_log (kind, at, address) select 'bulk', clock_timestamp() - make_interval(secs => n), '192.0.2.7'
    from generate_series(1, 30000) n`.execute(db)
  await sql`analyze audit_log`.execute(db)
  const plans: string[] = []
  const explaining = db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind !== 'RawNode' || !/^(delete|update audit_log)/.test(node.sqlFragments[0] ?? '')) return node
      const [first = '', ...rest] = node.sqlFragments
      return { ...node, sqlFragments: [`explain (analyze, costs off, timing off) ${first}`, ...rest] }
    },
    transformResult: async ({ result }) => {
      const lines = (result.rows as Record<string, string>[]).map((it) => it['QUERY PLAN']).filter(Boolean)
      if (lines.length > 0) plans.push(lines.join('\n'))
      return result
    },
  })
  await expireAuditLines(explaining)
  expect(plans).toHaveLength(2)
  for (const plan of plans) {
    const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, n]) => Number(n))
    expect(Math.max(0, ...removed), plan).toBeLessThan(1000)
  }
})

test('an address that another node was about to erase when it died is erased later', async () => {
  await keep(3650, 90)
  await addLines(200)
  const dying = db.transaction().execute(async (tx) => {
    await sql`update audit_log set address = null, "userAgent" = null where kind = 'test' and details ->> 'age' = '200'`.execute(
      tx,
    )
    await expireAuditLines(db)
    throw new Error('died')
  })
  await expect(dying).rejects.toThrow('died')
  await expireAuditLines(db)
  expect(await lines()).toContainEqual([200, null, null])
})

test('the database bounds the ages as well', async () => {
  for (const ages of [
    { auditDays: 0, auditAddressDays: 0 },
    { auditDays: 60, auditAddressDays: 61 },
  ])
    await expect(db.updateTable('workspace').set(ages).execute()).rejects.toThrow(/violates check constraint/)
})

test('a line that a wrong clock dated back hides no other line', async () => {
  await sql`insert into audit_log (kind) select 'recent' from generate_series(1, 30)`.execute(db)
  await sql`insert into audit_log (kind) select 'filler' from generate_series(1, 20000)`.execute(db)
  const read = async () => (await olga.get('/api/audit?kind=recent')).body.entries.length
  expect(await read()).toBe(30)
  await sql`insert into audit_log (kind, at) values ('skewed', clock_timestamp() - interval '1000 days')`.execute(db)
  expect(await read()).toBe(30)
})
