import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../db/database.ts'
import { userRoom } from '../realtime/rooms.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { transaction } from '../test/support/open-transactions.ts'
import { type Person, startParley } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'
import { upTo } from '../test/support/writer-fixture.ts'
import { deleteExpired, trackSessionActivity } from './session-activity.ts'

/** So many that the database reads them in another order than a few. */
const SESSIONS = 4000

test('two nodes can store the use of the same sessions concurrently without a deadlock', async () => {
  const { app, databaseUrl, person } = await startParley()
  const ada = await person('ada')
  const ids = upTo(SESSIONS).map((n) => `session-${String(n).padStart(4, '0')}`)
  await sql`
    insert into sessions (id, "userId", token, "expiresAt", "lastUsedAt")
    select id, ${ada.id}, id, now() + interval '1 day', '2020-01-01' from unnest(${ids.toReversed()}::text[]) id`.execute(
    app.db,
  )
  await sql`analyze sessions`.execute(app.db)
  const nodes = upTo(2).map(() => {
    const { db } = openDatabase(databaseUrl, { onError: () => {}, timeoutMs: 0 })
    atEnd(() => db.destroy())
    const activity = trackSessionActivity({ db, io: app.realtime.io, presence: app.presence, log: app.log })
    atEnd(activity.stop)
    return activity
  })
  const [first, middle, last] = [ids[0], ids[SESSIONS / 2], ids[SESSIONS - 1]] as [string, string, string]
  for (const id of ids) nodes[0]?.track(id)
  for (const id of [first, middle, last]) nodes[1]?.track(id)

  const held = await transaction(databaseUrl, ['select from sessions where id = $1 for update', [middle]])
  const stored = Promise.all(nodes.map(({ flush }) => flush()))
  stored.catch(() => {})
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%sessions%'`.execute(app.db)
    return rows[0]?.count
  }
  await expect.poll(waiting, { timeout: STATE_TIMEOUT_MS }).toBe(2)
  await held.rollback()
  await stored
  const unused = app.db.selectFrom('sessions').select('id').where('lastUsedAt', '<', '2021-01-01')
  expect(await unused.execute()).toEqual([])
})

test('expired rows are deleted, except those that another node is using', async () => {
  const { app, databaseUrl, person } = await startParley()
  const { db } = app
  const ada = await person('ada')
  await sql`
    insert into sessions (id, "userId", token, "expiresAt")
    select id, ${ada.id}, id, now() - interval '1 hour' from unnest(array['expired', 'in use']) id`.execute(db)
  await sql`
    insert into verifications (id, identifier, value, "expiresAt")
    values ('expired', 'x', 'x', now() - interval '1 hour'), ('live', 'x', 'x', now() + interval '1 hour')`.execute(db)
  await sql`
    insert into tries (key, count, "startedAt")
    values ('expired', 1, now() - interval '2 hours'), ('live', 1, now())`.execute(db)
  const held = await transaction(databaseUrl, ['select from sessions where id = $1 for update', ['in use']])
  const sessions = async () => (await db.selectFrom('sessions').select(['id', 'userId']).execute()).map(({ id }) => id)
  const before = await sessions()
  await Promise.all([deleteExpired(db), deleteExpired(db)])
  expect(await sessions()).toEqual(before.filter((id) => id !== 'expired'))
  expect(await db.selectFrom('verifications').select('id').execute()).toEqual([{ id: 'live' }])
  const { rows: tries } = await sql`select key from tries where key in ('expired', 'live')`.execute(db)
  expect(tries).toEqual([{ key: 'live' }])
  await held.rollback()
  await deleteExpired(db)
  expect(await sessions()).not.toContain('in use')
})

test('input, or leaving a page that is not idle, counts as activity; an idle page does not, even if it calls the API', async () => {
  const { app, person } = await startParley()
  const { db } = app
  const activity = trackSessionActivity({ db, io: app.realtime.io, presence: app.presence, log: app.log })
  atEnd(activity.stop)
  const sessionOf = async ({ id }: Person) =>
    (await db.selectFrom('sessions').select('id').where('userId', '=', id).executeTakeFirstOrThrow()).id
  const minutes = sql<number>`round(extract(epoch from clock_timestamp() - last_active(id)) / 60)::integer`
  const minutesSince = async ({ id }: Person) =>
    (await db.selectFrom('users').select(minutes.as('minutes')).where('id', '=', id).executeTakeFirstOrThrow()).minutes

  const people = []
  for (const name of ['olga', 'ada', 'bob', 'cyd']) people.push(await person(name))
  const [olga, ada, bob, cyd] = people as [Person, Person, Person, Person]
  await db
    .updateTable('sessions')
    .set({ createdAt: sql<string>`now() - interval '1 hour'`, lastUsedAt: sql<string>`now() - interval '1 hour'` })
    .execute()
  await ada.listen()
  const idle = await bob.listen()
  idle.socket.emit('status:update', 'idle')
  await expect.poll(() => app.presence.isIdle(bob.id)).toBe(true)
  const leaving = await cyd.listen()
  for (const each of [olga, bob]) activity.track(await sessionOf(each))
  await activity.flush()
  expect(await Promise.all(people.map(minutesSince))).toEqual([0, 10, 60, 10])
  leaving.socket.close()
  await expect.poll(async () => (await app.realtime.io.in(userRoom(cyd.id)).fetchSockets()).length).toBe(0)
  await activity.flush()
  expect(await Promise.all(people.map(minutesSince))).toEqual([0, 10, 60, 0])
})
