import { expect, test } from 'vitest'
import { onDatabase } from '../../test/support/database.ts'
import { startParley } from '../../test/support/parley.ts'
import { find } from '../../test/support/search.ts'

const parley = await startParley()
const { ada, bob } = await parley.people('ada', 'bob')

test('expensive searches of one person do not starve others of connections', async () => {
  const waitedFor = async () => {
    const { body } = await parley.app.inject('/metrics')
    return Number(/parley_database_connections\{pool="search",state="waited_for"\} (\d+)/.exec(body)?.[1])
  }
  await onDatabase(parley.databaseUrl, async (client) => {
    // Blocked as long as the table is locked, or until the database's timeout.
    await client.query('begin')
    await client.query('lock table message_search in access exclusive mode')
    const running = async () => {
      const { rows } = await parley.app.pool.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database() and query like '%message_search%'`,
      )
      return rows[0]?.n
    }
    const ask = (person: typeof ada) => person.get('/api/search?q=zebra')
    const searches = Array.from({ length: 8 }, () => ask(ada))
    await expect.poll(running).toBe(2)
    searches.push(ask(bob))
    await expect.poll(running).toBe(3)
    expect(await waitedFor()).toBe(0)
    await client.query('rollback')
    for (const { status } of await Promise.all(searches)) expect([200, 503]).toContain(status)
  })
  await expect.poll(() => find(ada, 'zebra')).toEqual([])
})
