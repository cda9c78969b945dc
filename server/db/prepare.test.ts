import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase } from './database.ts'
import { prepare } from './prepare.ts'

const database = openDatabase(inject('postgresUrl'), { onError: () => {}, max: 1 })
afterAll(() => database.db.destroy())

const types = { name: 'text', limit: 'bigint', unused: 'bigint' } as const

test('a prepared statement takes values by name, any number of times, and keeps constants', async () => {
  const echo = prepare(database, 'echo', types, (db, value) =>
    db.selectNoFrom([
      sql<string>`${value('name')}`.as('first'),
      sql<string>`${value('name')}`.as('again'),
      sql<string>`${"it's"}::text`.as('constant'),
      sql<number>`${value('limit')} + ${2}::int`.as('sum'),
    ]),
  )
  const values = { name: "o'clock", limit: 40, unused: 1 }
  expect(await echo(values)).toEqual([{ first: "o'clock", again: "o'clock", constant: "it's", sum: 42 }])
  expect(await echo({ ...values, name: 'two' })).toMatchObject([{ first: 'two', again: 'two' }])
})

test('a statement with a limit is planned once per connection', async () => {
  const numbers = prepare(database, 'numbers', types, (db, value) =>
    db.selectFrom(sql<{ n: number }>`generate_series(1, 1000000)`.as<'n'>('n')).selectAll().limit(value('limit')),
  )
  for (let times = 1; times <= 10; times++)
    expect(await numbers({ name: '', limit: times, unused: 0 })).toHaveLength(times)
  const { rows } = await database.pool.query("select generic_plans from pg_prepared_statements where name = 'numbers'")
  // PostgreSQL plans with the actual values five times before it decides.
  expect(rows).toEqual([{ generic_plans: 5 }])
})
