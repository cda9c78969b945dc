import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import type { LaterItem } from '#contract/later'
import { type Person, serve, startParley, untilPeers } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'
import { remindDue } from './remind.ts'

/** The tests trigger the checks. */
const BOUNDS = { reminderPollMs: 2 ** 31 - 1 }
const parley = await startParley({}, undefined, BOUNDS)
const other = await serve(parley.databaseUrl, {}, undefined, BOUNDS)
const { app } = parley
const { db } = app

beforeAll(() => untilPeers(parley, other))

let made = 0
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const newPerson = () => parley.person(`due-${made++}`)
const remind = async (person: Person, text: string): Promise<LaterItem> =>
  (await person.post('/api/later', { text, dueAt: inHours(1) })).body
/** Lets the time of reminders come. */
const pass = (...items: LaterItem[]) =>
  db
    .updateTable('later_items')
    .set({ dueAt: sql<string>`clock_timestamp() - interval '1 millisecond'` })
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    )
    .execute()
const listed = async (person: Person): Promise<LaterItem[]> => (await person.get('/api/later')).body

test('each reminder is given once, by whichever of two nodes, to all devices of its person', async () => {
  const person = await newPerson()
  const items: LaterItem[] = []
  for (let n = 0; n < 20; n++) items.push(await remind(person, `task ${n}`))
  const later = await remind(person, 'not yet')
  const devices = [await person.listen(), await person.listen()]
  await pass(...items)
  await Promise.all([app, other.app, app, other.app].map((node) => remindDue(node)))
  await remindDue(app)
  const ids = items.map(({ id }) => id).sort()
  for (const device of devices) {
    for (const id of ids) await device.waitFor('later:changed', (item) => item.id === id)
    expect(
      device
        .all('later:changed')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids)
  }
  expect((await listed(person)).filter(({ remindedAt }) => remindedAt === null)).toEqual([later])
})

test('what is done or removed is not due; opened again, it is', async () => {
  const person = await newPerson()
  const [done, removed] = [await remind(person, 'done'), await remind(person, 'removed')]
  await person.patch(`/api/later/${done.id}`, { isDone: true })
  await person.delete(`/api/later/${removed.id}`)
  const device = await person.listen()
  await pass(done)
  await remindDue(app)
  await person.patch(`/api/later/${done.id}`, { isDone: false })
  await remindDue(app)
  const isDue = (item: LaterItem) => item.remindedAt !== null
  const due = await device.waitFor('later:changed', isDue)
  expect(due).toMatchObject({ id: done.id, text: 'done', doneAt: null })
  expect(device.all('later:changed').filter(isDue)).toHaveLength(1)
})

test('a new time reminds again', async () => {
  const person = await newPerson()
  const item = await remind(person, 'snoozed')
  await pass(item)
  await remindDue(app)
  const { body: snoozed } = await person.patch(`/api/later/${item.id}`, { dueAt: inHours(1) })
  expect(snoozed.remindedAt).toBeNull()
  const device = await person.listen()
  await remindDue(app)
  await pass(item)
  await remindDue(other.app)
  await device.waitFor('later:changed', ({ id }) => id === item.id)
  expect(device.all('later:changed')).toHaveLength(1)
})

test('reminders of a deactivated person wait until they are back', async () => {
  const person = await newPerson()
  const item = await remind(person, 'on holiday')
  await pass(item)
  const setAway = (isAway: boolean) =>
    db
      .updateTable('users')
      .set({ deactivatedAt: isAway ? sql<string>`clock_timestamp()` : null })
      .where('id', '=', person.id)
      .execute()
  const isGiven = async () => {
    await remindDue(app)
    const row = db.selectFrom('later_items').select('remindedAt').where('id', '=', item.id)
    return (await row.executeTakeFirstOrThrow()).remindedAt !== null
  }
  await setAway(true)
  expect(await isGiven()).toBe(false)
  await setAway(false)
  expect(await isGiven()).toBe(true)
})

test('what became due while no server ran is given by the next that starts', async () => {
  const person = await newPerson()
  const item = await remind(person, 'overnight')
  await pass(item)
  const restarted = await serve(parley.databaseUrl, {}, undefined, { reminderPollMs: 20 })
  const isGiven = async () => (await listed(person)).every(({ remindedAt }) => remindedAt !== null)
  await vi.waitUntil(isGiven, { timeout: STATE_TIMEOUT_MS, interval: 20 })
  await restarted.app.close()
})
