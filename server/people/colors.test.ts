import { expect, test } from 'vitest'
import { openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { databaseAt, newDatabase } from '../test/support/new-database.ts'
import { startParley } from '../test/support/parley.ts'
import { openDirectory } from '../test/support/scim-directory.ts'
import { fillColors } from './colors.ts'

const open = (url: string) => {
  const { db } = openDatabase(url, { onError: () => {}, timeoutMs: 0 })
  atEnd(() => db.destroy())
  return db
}
const migrated = async () => {
  const db = open(await newDatabase())
  await migrate(db)
  return db
}
const somebody = (id: string) => ({ id, username: id, name: id, email: `${id}@example.com` })
const range = (count: number) => Array.from({ length: count }, (_, i) => i)
const TEN = ['ada', 'bob', 'cleo', 'dan', 'fay', 'gil', 'hal', 'ida', 'jon', 'kim']

test('ten people who sign up have ten colours, which appear wherever the people do', async () => {
  const parley = await startParley()
  const people = Object.values(await parley.people(...TEN))
  const [ada, bob] = people as [(typeof people)[number], (typeof people)[number]]
  const directory = (await ada.get('/api/users')).body as { id: string; color?: number }[]
  const colorOf = (id: string) => directory.find((person) => person.id === id)?.color
  expect(new Set(people.map(({ id }) => colorOf(id))).size).toBe(10)
  expect(colorOf('assistant-bot')).toBeUndefined()

  const color = colorOf(bob.id)
  expect(color).toBeTypeOf('number')
  const general = (await ada.get('/api/channels')).body.channels[0].id as string
  const listener = await ada.listen()
  expect((await bob.say(general, 'hello')).user).toMatchObject({ id: bob.id, color })
  expect((await listener.waitFor('message:created')).user).toMatchObject({ id: bob.id, color })
  expect((await bob.patch('/api/users/me', { name: 'Bobby' })).body).toMatchObject({ color })
  const session = await parley.app.inject({ url: '/api/auth/get-session', headers: { cookie: bob.cookie } })
  expect(session.json().user).toMatchObject({ id: bob.id, color })

  const provided = await openDirectory(parley, ada)
  const { body } = await provided.scim('POST', '/Users', provided.someone({ userName: 'pia' }))
  const other = (await ada.get(`/api/users/${body.id}`)).body.color
  expect(other).toBeTypeOf('number')
  expect(people.map(({ id }) => colorOf(id))).not.toContain(other)
})

test('each new person has the least used colour, and those of deleted accounts are free again', async () => {
  const db = await migrated()
  const colorOf = async (id: string) =>
    (await db.insertInto('users').values(somebody(id)).returning('color').executeTakeFirstOrThrow()).color
  for (const n of range(60)) expect(await colorOf(`p${n}`)).toBe(n % 30)
  await db.updateTable('users').set({ erasedAt: new Date().toISOString() }).where('id', '=', 'p17').execute()
  expect(await colorOf('next')).toBe(17)
  // In one statement.
  await db
    .insertInto('users')
    .values(range(30).map((n) => somebody(`q${n}`)))
    .execute()
  const rows = await db.selectFrom('users').select('color').where('id', 'like', 'q%').execute()
  expect(new Set(rows.map(({ color }) => color)).size).toBe(30)
})

test('people who sign up at once all succeed, in a workspace where every colour is used often', async () => {
  const db = await migrated()
  await db
    .insertInto('users')
    .values(range(400).map((n) => somebody(`p${n}`)))
    .execute()
  const made = await Promise.all(
    range(20).map((n) =>
      db
        .insertInto('users')
        .values(somebody(`q${n}`))
        .returning('color')
        .executeTakeFirstOrThrow(),
    ),
  )
  for (const { color } of made) expect(color).toSatisfy((it) => Number.isInteger(it) && it >= 0 && it < 30)
  // At random, but not all the same.
  expect(new Set(made.map(({ color }) => color)).size).toBeGreaterThan(3)
})

test('people from before have the least used colours in the order in which they joined', async () => {
  const db = open(await databaseAt('0068-posters'))
  const at = (n: number) => new Date(Date.UTC(2025, 0, 1, n)).toISOString()
  await db
    .insertInto('users')
    .values(range(1100).map((n) => ({ ...somebody(`p${1099 - n}`), createdAt: at(1099 - n) })))
    .execute()
  await db
    .updateTable('users')
    .set({ erasedAt: at(2000) })
    .where('id', '=', 'p3')
    .execute()
  await migrate(db)
  // A node of the previous version, which knows nothing of colours.
  await db.insertInto('users').values(somebody('new')).execute()
  await Promise.all([fillColors(db), fillColors(db)])
  const rows = await db.selectFrom('users').select(['id', 'color']).orderBy('createdAt').execute()
  const colors = new Map(rows.map(({ id, color }) => [id, color]))
  // The newcomer had the first colour.
  expect(['p0', 'p1', 'p2', 'p3', 'p4', 'p28', 'p29', 'p30'].map((id) => colors.get(id))).toEqual([
    1, 2, 3, 4, 4, 28, 29, 0,
  ])
  expect(colors.get('assistant-bot')).toBeNull()
  const counts = range(30).map((color) => rows.filter((row) => row.color === color && row.id !== 'p3').length)
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  const version = await db.selectFrom('workspace').select('peopleVersion').executeTakeFirstOrThrow()
  await fillColors(db)
  expect(await db.selectFrom('workspace').select('peopleVersion').executeTakeFirstOrThrow()).toEqual(version)
})

test('nobody chooses a colour, and a guest learns only those of the people they know', async () => {
  const parley = await startParley()
  const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
  const payload = { username: 'zoe', name: 'Zoe', email: 'zoe@example.com', password: 'correct horse', color: 0 }
  const { user } = (await parley.app.inject({ method: 'POST', url: '/api/auth/sign-up/email', payload })).json()
  expect(user.color).toBe(3)
  expect((await eve.patch('/api/users/me', { name: 'Eve', color: 0 })).body.color).toBe(2)

  const { body: channel } = await ada.post('/api/channels', { name: 'with a guest', isPrivate: true })
  const { body: invite } = await ada.post('/api/invites', { guests: { channelIds: [channel.id], days: 3 } })
  const gil = await parley.person('gil', invite.code)
  const listener = await gil.listen()
  await eve.patch('/api/users/me', { name: 'Evelyn' })
  await bob.patch('/api/users/me', { name: 'Robert' })
  await ada.patch('/api/users/me', { name: 'Adele' })
  await listener.waitFor('user:updated', (it) => it.name === 'Adele' && it.color === 0)
  expect(listener.all('user:updated').filter(({ id }) => id !== ada.id)).toEqual([])
  expect((await gil.get(`/api/users/${eve.id}`)).status).toBe(404)
  const known = (await gil.get('/api/users')).body as { id: string; color?: number }[]
  expect(known.map(({ color }) => color).filter((color) => color !== undefined)).toEqual([0, 4])
})
