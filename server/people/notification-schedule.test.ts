import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { NotificationSettings } from '#contract/notifications'
import type { Profile } from '#contract/users'
import { listen, type Person, serve, startParley, untilPeers } from '../test/support/parley.ts'
import { applyDueSchedules, saveSchedule } from './notification-schedule.ts'

const parley = await startParley()
const { ada, bob } = await parley.people('ada', 'bob')
const other = await serve(parley.databaseUrl)
await untilPeers(parley, other)
const { db } = parley.app

const DAY_MS = 24 * 3_600_000
const settings = '/api/notification-settings'
const mine = '/api/users/me/availability'
let made = 0
const newPerson = () => parley.person(`hours-${made++}`)
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** A day of the week, in some days. */
const weekday = (days: number) => new Date(Date.now() + days * DAY_MS).getUTCDay()
const only = weekday(3)
const wholeDays = (days: number[]) => ({ days, from: '00:00', to: '00:00', timeZone: 'UTC' })
/** Now is outside it, until its only day begins in two to three days. */
const CLOSED = wholeDays([only])
/** Now is within it, until then. */
const OPEN = wholeDays([0, 1, 2, 3, 4, 5, 6].filter((day) => day !== only))
const CHANGE = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + 3 * DAY_MS).toISOString()

const save = (person: Person, schedule: object | null) => person.patch(settings, { schedule })
const be = (person: Person, availability: string, until?: string) =>
  person.put(mine, { availability, ...(until && { until }) })
const availabilityOf = async (person: Person) => {
  const { availability, quietUntil } = (await person.get(mine)).body
  return { availability, quietUntil }
}
const shown = async ({ id }: Person) => (await bob.get(`/api/users/${id}`)).body as Profile
const dueAt = async ({ id }: Person) =>
  (await db.selectFrom('notification_settings').select('scheduleDueAt').where('userId', '=', id).executeTakeFirst())
    ?.scheduleDueAt
/** As if a schedule had been saved before its time came. */
const wait = (person: Person, schedule: object) =>
  db
    .updateTable('notification_settings')
    .set({ schedule: JSON.stringify(schedule), scheduleDueAt: sql<string>`now() - interval '2 hours'` })
    .where('userId', '=', person.id)
    .execute()

test('saving a schedule applies it at once, for me, my devices and others; removing it ends do not disturb', async () => {
  const person = await newPerson()
  const [device, reader] = [await listen(other.address, person.token), await bob.listen()]
  const saved: NotificationSettings = { level: null, keywords: [], workspaceLevel: 'mentions', schedule: CLOSED }
  expect((await save(person, CLOSED)).body).toEqual(saved)
  expect((await person.get(settings)).body).toEqual(saved)
  expect(await availabilityOf(person)).toEqual({ availability: 'quiet', quietUntil: CHANGE })
  await device.waitFor('notification-settings:changed')
  await device.waitFor('user:availability_changed', (it) => it.availability === 'quiet')
  await reader.waitFor('user:status_changed', (it) => it.userId === person.id && it.availability === 'quiet')
  expect(reader.all('notification-settings:changed')).toEqual([])
  expect(await shown(person)).toMatchObject({ availability: 'quiet', quietUntil: CHANGE })

  expect((await save(person, null)).body).toEqual({ ...saved, schedule: null })
  expect(await availabilityOf(person)).toEqual({ availability: 'active', quietUntil: null })
  expect(await dueAt(person)).toBe(null)
  for (const { socket } of [device, reader]) socket.close()
})

test('within the hours nothing is switched on, and a changed schedule ends what the old one had', async () => {
  const person = await newPerson()
  await save(person, CLOSED)
  await save(person, OPEN)
  expect(await availabilityOf(person)).toEqual({ availability: 'active', quietUntil: null })
  expect(await dueAt(person)).toBe(CHANGE)
  await save(person, wholeDays([0, 1, 2, 3, 4, 5, 6]))
  expect(await dueAt(person)).toBe(null)
})

test('it is switched on when its time comes, once, by whichever of two nodes, also after a downtime', async () => {
  const people: Person[] = []
  for (let n = 0; n < 3; n++) people.push(await newPerson())
  const [active, away, invisible] = people as [Person, Person, Person]
  await be(away, 'away')
  await be(invisible, 'invisible')
  for (const person of people) await save(person, OPEN)
  for (const person of people) await wait(person, CLOSED)
  const device = await listen(other.address, active.token)
  await Promise.all([applyDueSchedules(db), applyDueSchedules(other.app.db)])
  parley.app.pollSoon()
  await device.waitFor('user:availability_changed', (it) => it.availability === 'quiet')
  expect(await availabilityOf(active)).toEqual({ availability: 'quiet', quietUntil: CHANGE })
  expect(await availabilityOf(away)).toEqual({ availability: 'away', quietUntil: CHANGE })
  expect(await availabilityOf(invisible)).toEqual({ availability: 'invisible', quietUntil: CHANGE })
  expect(await shown(away)).toMatchObject({ availability: 'away', quietUntil: null })
  // As if they were offline.
  expect(await shown(invisible)).toMatchObject({ status: 'offline', availability: 'quiet', quietUntil: CHANGE })
  for (const person of people) expect(await dueAt(person)).toBe(CHANGE)
  expect(await applyDueSchedules(db)).toBe(false)
  device.socket.close()

  // A downtime that lasted from one evening to the next morning.
  await be(active, 'active')
  await wait(active, OPEN)
  expect(await applyDueSchedules(db)).toBe(false)
  expect(await availabilityOf(active)).toEqual({ availability: 'active', quietUntil: null })
  expect(await dueAt(active)).toBe(CHANGE)
})

test('many people are done in batches; deactivated ones wait until they return', async () => {
  const person = await newPerson()
  await sql`
    insert into users (id, name, email, username, "usernameLook", "displayUsername")
    select 'many-' || n, 'Many', 'many-' || n || '@example.com', 'many-' || n, 'many-' || n, 'many-' || n
    from generate_series(1, 120) n`.execute(db)
  await sql`
    insert into notification_settings ("userId", schedule, "scheduleDueAt")
    select id, ${JSON.stringify(CLOSED)}::jsonb, now() from users where id like 'many-%'`.execute(db)
  await sql`update users set "deactivatedAt" = now() where id = 'many-7'`.execute(db)
  await applyDueSchedules(db)
  const quiet = () =>
    db.selectFrom('users').select('id').where('id', 'like', 'many-%').where('availability', '=', 'quiet').execute()
  expect(await quiet()).toHaveLength(119)
  await sql`update users set "deactivatedAt" = null where id = 'many-7'`.execute(db)
  await applyDueSchedules(db)
  expect(await quiet()).toHaveLength(120)
  expect(await availabilityOf(person)).toEqual({ availability: 'active', quietUntil: null })
})

test('a time zone that this machine does not know is tried again later, and keeps nobody else waiting', async () => {
  const [lost, person] = [await newPerson(), await newPerson()]
  for (const it of [lost, person]) await save(it, OPEN)
  await wait(lost, { ...CLOSED, timeZone: 'Mars/Olympus' })
  await wait(person, CLOSED)
  await applyDueSchedules(db)
  expect((await availabilityOf(person)).availability).toBe('quiet')
  expect((await availabilityOf(lost)).availability).toBe('active')
  expect(Date.parse((await dueAt(lost)) ?? '')).toBeGreaterThan(Date.now())
})

test('being active ends it until the schedule begins again; away and invisible stay quiet', async () => {
  const person = await newPerson()
  await save(person, CLOSED)
  expect((await be(person, 'away')).body).toEqual({ availability: 'away', quietUntil: CHANGE })
  expect((await be(person, 'invisible')).body).toEqual({ availability: 'invisible', quietUntil: CHANGE })
  expect((await be(person, 'active')).body).toEqual({ availability: 'active', quietUntil: null })
  await applyDueSchedules(db)
  expect(await availabilityOf(person)).toEqual({ availability: 'active', quietUntil: null })
  await wait(person, CLOSED)
  await applyDueSchedules(db)
  expect(await availabilityOf(person)).toEqual({ availability: 'quiet', quietUntil: CHANGE })
})

test('a do not disturb chosen by hand is never shortened, and one shorter than the schedule’s does not shorten that', async () => {
  const person = await newPerson()
  const longer = inHours(24 * 20)
  await be(person, 'quiet', longer)
  await save(person, CLOSED)
  expect(await availabilityOf(person)).toEqual({ availability: 'quiet', quietUntil: longer })
  await save(person, null)
  expect(await availabilityOf(person)).toEqual({ availability: 'quiet', quietUntil: longer })

  const shorter = inHours(1)
  expect((await be(person, 'quiet', shorter)).body.quietUntil).toBe(shorter)
  await save(person, CLOSED)
  expect((await availabilityOf(person)).quietUntil).toBe(CHANGE)
  expect((await be(person, 'quiet', shorter)).body.quietUntil).toBe(CHANGE)
  expect((await be(person, 'quiet', longer)).body.quietUntil).toBe(longer)
})

/** Longer than the quiet hours. */
const later = inHours(24 * 20)
const soon = inHours(1)
const status =
  (until: string | null, isQuiet = false) =>
  (person: Person) =>
    person.put('/api/users/status', { user_status: '📅', ...(until && { until, isQuiet }) })
const quiet = (until: string) => (person: Person) => be(person, 'quiet', until)
const schedule = (hours: object | null) => (person: Person) => save(person, hours)
const active = (person: Person) => be(person, 'active')
/** What is done, and until when do not disturb is on after it. */
type Step = [step: (person: Person) => Promise<unknown>, until: string | null]
test.each<[string, ...Step[]]>([
  [
    'a longer status within the quiet hours',
    [schedule(CLOSED), CHANGE],
    [status(later, true), later],
    [status(null), CHANGE],
  ],
  ['a longer choice, then a shorter one', [schedule(CLOSED), CHANGE], [quiet(later), later], [quiet(soon), CHANGE]],
  [
    'a status that is shortened',
    [schedule(CLOSED), CHANGE],
    [status(later, true), later],
    [status(soon, true), CHANGE],
  ],
  ['a status that ends with the hours', [schedule(OPEN), null], [status(CHANGE, true), CHANGE], [status(null), null]],
  ['a choice that ends with the hours', [schedule(OPEN), null], [quiet(CHANGE), CHANGE], [quiet(soon), soon]],
  ['a choice that outlives the schedule', [schedule(OPEN), null], [quiet(CHANGE), CHANGE], [schedule(null), CHANGE]],
  ['a choice under a status', [quiet(soon), soon], [status(later, true), later], [status(null), soon]],
  ['a choice under the schedule', [quiet(soon), soon], [schedule(CLOSED), CHANGE], [schedule(null), soon]],
  ['a status under the schedule', [schedule(CLOSED), CHANGE], [status(soon, true), CHANGE], [schedule(null), soon]],
  ['a choice after a status', [status(later, true), later], [quiet(soon), soon], [status(null), soon]],
  [
    'active after all of them',
    [schedule(CLOSED), CHANGE],
    [status(later, true), later],
    [active, null],
    [status(null), null],
  ],
])('do not disturb: %s', async (_, ...steps) => {
  const person = await newPerson()
  for (const [step, until] of steps) {
    await step(person)
    const availability = until === null ? 'active' : 'quiet'
    expect(await availabilityOf(person)).toEqual({ availability, quietUntil: until })
  }
})

test('what a node of an earlier version wrote counts as chosen, or as ended', async () => {
  const person = await newPerson()
  const write = (availability: string, quietUntil: string | null) =>
    db.updateTable('users').set({ availability, quietUntil }).where('id', '=', person.id).execute()
  await save(person, CLOSED)
  await write('active', null)
  await status(soon)(person)
  expect(await availabilityOf(person)).toEqual({ availability: 'active', quietUntil: null })
  await write('quiet', later)
  await save(person, null)
  expect(await availabilityOf(person)).toEqual({ availability: 'quiet', quietUntil: later })
})

test('nothing is saved for an account that was deleted meanwhile', async () => {
  const person = await newPerson()
  await db.updateTable('users').set({ deactivatedAt: sql<string>`now()` }).where('id', '=', person.id).execute()
  await expect(db.transaction().execute((tx) => saveSchedule(tx, person.id, CLOSED))).rejects.toMatchObject({
    status: 401,
  })
})

test('a wrong schedule is refused by field, and nothing is saved', async () => {
  const good = { days: [1, 2], from: '09:00', to: '18:30', timeZone: 'Europe/Berlin' }
  const wrong: [object, field: string][] = [
    [{ days: [] }, 'schedule.days'],
    [{ days: [1, 1] }, 'schedule.days'],
    [{ days: [7] }, 'schedule.days.0'],
    [{ days: [1, 1.5] }, 'schedule.days.1'],
    [{ days: 'weekdays' }, 'schedule.days'],
    [{ from: '9:00' }, 'schedule.from'],
    [{ from: '24:00' }, 'schedule.from'],
    [{ to: '18:60' }, 'schedule.to'],
    [{ to: 18 }, 'schedule.to'],
    [{ timeZone: 'Mars/Olympus' }, 'schedule.timeZone'],
    [{ timeZone: '+02:00' }, 'schedule.timeZone'],
    [{ timeZone: '' }, 'schedule.timeZone'],
  ]
  for (const [change, field] of wrong) {
    const { status, body } = await save(ada, { ...good, ...change })
    expect([status, Object.keys(body.error.fields)], JSON.stringify(change)).toEqual([400, [field]])
  }
  expect((await ada.get(settings)).body.schedule).toBe(null)
  expect((await save(ada, { ...good, more: 1 })).body.schedule).toEqual(good)
  // A client that doesn't know schedules keeps it.
  expect((await ada.patch(settings, { level: 'nothing' })).body).toMatchObject({ level: 'nothing', schedule: good })
  expect((await ada.patch(settings, {})).body).toMatchObject({ level: 'nothing', schedule: good })
})
