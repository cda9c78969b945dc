import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { DEFAULT_STATUS, type Profile } from '#contract/users'
import { endStatuses } from '../../people/end-statuses.ts'
import { listen, type Person, serve, startParley, untilPeers } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob } = await parley.people('ada', 'bob')
const { db } = parley.app

const setStatus = (person: Person, body: object) => person.put('/api/users/status', body)
const profileOf = async (asking: Person, { id }: Person) => (await asking.get(`/api/users/${id}`)).body as Profile
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
/** Makes a status expire now. */
const endNow = ({ id }: Person) =>
  db
    .updateTable('users')
    .set({ statusUntil: new Date(Date.now() - 1000).toISOString() })
    .where('id', '=', id)
    .execute()

test('a status has an emoji, a text and an end; omitted parts are removed', async () => {
  const until = inHours(3)
  const { status, body } = await setStatus(ada, { user_status: '🌴', text: ' On holiday ', until })
  const shown = { user_status: '🌴', statusText: 'On holiday', statusUntil: until }
  expect([status, body]).toEqual([200, expect.objectContaining(shown)])
  expect(await profileOf(bob, ada)).toMatchObject(shown)
  const [listed] = ((await bob.get('/api/users')).body as Profile[]).filter(({ id }) => id === ada.id)
  expect(listed).toMatchObject(shown)
  expect((await setStatus(ada, { user_status: '🚲' })).body.user_status).toBe('🚲')
  const later = await profileOf(bob, ada)
  expect([later.user_status, later.statusText, later.statusUntil]).toEqual(['🚲', undefined, undefined])
})

test('texts and ends are limited', async () => {
  await setStatus(bob, { user_status: '🚲', text: 'x'.repeat(100), until: inHours(24 * 365) })
  for (const body of [
    { user_status: '🌴', text: 'x'.repeat(101) },
    { user_status: '🌴', text: 'hidden\u200btext' },
    { user_status: '🌴', until: inHours(-1) },
    { user_status: '🌴', until: inHours(24 * 400) },
    { user_status: '🌴', until: 'tomorrow' },
    { user_status: 'x', text: 'fine' },
  ])
    expect(await setStatus(bob, body)).toMatchObject({ status: 400, code: 'invalid' })
  expect((await profileOf(ada, bob)).user_status).toBe('🚲')
})

test('an expired status is not shown to anyone, and is then cleared once, on every node', async () => {
  const other = await serve(parley.databaseUrl)
  await untilPeers(parley, other)
  const [here, there] = [await bob.listen(), await listen(other.address, bob.token)]
  await setStatus(ada, { user_status: '🍜', text: 'Lunch', until: inHours(1) })
  const is = (emoji: string) => (it: { userId: string; user_status: string }) =>
    it.userId === ada.id && it.user_status === emoji
  for (const listener of [here, there])
    expect(await listener.waitFor('user:status_changed', is('🍜'))).toMatchObject({ statusText: 'Lunch' })
  const { headers } = await bob.get('/api/users')
  await endNow(ada)
  expect((await profileOf(bob, ada)).user_status).toBe(DEFAULT_STATUS)
  const fresh = await parley.app.inject({
    url: '/api/users',
    headers: { authorization: `Bearer ${bob.token}`, 'if-none-match': String(headers['etag']) },
  })
  expect(fresh.statusCode).toBe(200)

  await endStatuses(db)
  parley.app.pollSoon()
  for (const listener of [here, there])
    expect(await listener.waitFor('user:status_changed', is(DEFAULT_STATUS))).toMatchObject({
      statusText: '',
      statusUntil: null,
    })
  expect(await endStatuses(db)).toBe(false)
})

test('a direct message includes the current statuses of its people', async () => {
  const { body: direct } = await bob.post('/api/direct-messages', { userIds: [ada.id] })
  await setStatus(ada, { user_status: '🌴', text: 'Away until Monday' })
  expect((await bob.get(`/api/channels/${direct.id}`)).body.members).toContainEqual(
    expect.objectContaining({ id: ada.id, statusText: 'Away until Monday' }),
  )
})

const availabilityOf = async (person: Person) => {
  const { availability, quietUntil } = (await person.get('/api/users/me/availability')).body
  return { availability, quietUntil }
}

test('a status may switch on do not disturb until it ends, and clearing or replacing it ends that', async () => {
  const { cyd } = await parley.people('cyd')
  const [until, sooner] = [inHours(2), inHours(1)]
  const meeting = { user_status: '📅', text: 'In a meeting' }
  const active = { availability: 'active', quietUntil: null }
  const refused = await setStatus(cyd, { ...meeting, isQuiet: true })
  expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ['until']])
  expect((await setStatus(cyd, { ...meeting, until, isQuiet: 'yes' })).status).toBe(400)
  expect((await profileOf(bob, cyd)).user_status).toBe(DEFAULT_STATUS)

  expect((await setStatus(cyd, { ...meeting, until, isQuiet: true })).body).toMatchObject({
    statusUntil: until,
    availability: 'quiet',
    quietUntil: until,
  })
  await setStatus(cyd, { ...meeting, until: sooner, isQuiet: true })
  expect(await availabilityOf(cyd)).toEqual({ availability: 'quiet', quietUntil: sooner })
  await setStatus(cyd, { ...meeting, until: sooner })
  expect(await availabilityOf(cyd)).toEqual(active)
  // The database rounds what the clock doesn't show.
  await setStatus(cyd, { ...meeting, until: until.replace('Z', '9Z'), isQuiet: true })
  await setStatus(cyd, { user_status: DEFAULT_STATUS })
  expect(await availabilityOf(cyd)).toEqual(active)
})

test('a status keeps who is away, what was chosen by hand for longer, and the notification schedule', async () => {
  const { dot } = await parley.people('dot')
  const be = (availability: string, until?: string) => dot.put('/api/users/me/availability', { availability, until })
  const [until, longer] = [inHours(2), inHours(5)]
  const meeting = { user_status: '📅', until, isQuiet: true }
  await be('away')
  await setStatus(dot, meeting)
  expect(await availabilityOf(dot)).toEqual({ availability: 'away', quietUntil: until })
  expect(await profileOf(bob, dot)).toMatchObject({ availability: 'away', quietUntil: null })
  await setStatus(dot, { user_status: DEFAULT_STATUS })
  expect(await availabilityOf(dot)).toEqual({ availability: 'away', quietUntil: null })

  await be('quiet', longer)
  await setStatus(dot, meeting)
  await setStatus(dot, { user_status: DEFAULT_STATUS })
  expect(await availabilityOf(dot)).toEqual({ availability: 'quiet', quietUntil: longer })

  await be('active')
  const day = new Date(Date.now() + 3 * 24 * 3_600_000).getUTCDay()
  const schedule = { days: [day], from: '00:00', to: '00:00', timeZone: 'UTC' }
  await dot.patch('/api/notification-settings', { schedule })
  const { quietUntil } = await availabilityOf(dot)
  await setStatus(dot, { ...meeting, until: quietUntil })
  await setStatus(dot, { user_status: DEFAULT_STATUS })
  expect(await availabilityOf(dot)).toEqual({ availability: 'quiet', quietUntil })
})

test('many statuses and do not disturb that end at once are all cleared', async () => {
  await sql`
    insert into users (id, name, email, username, "usernameLook", "displayUsername", "statusText", "statusUntil", availability, "quietUntil")
    select 'ends-' || n, 'Ends', 'ends-' || n || '@example.com', 'ends-' || n, 'ends-' || n, 'ends-' || n,
      'Lunch', now(), 'quiet', now()
    from generate_series(1, 120) n`.execute(db)
  await endStatuses(db)
  const left = db.selectFrom('users').select('id').where('id', 'like', 'ends-%')
  expect(
    await left.where((it) => it.or([it('statusText', '<>', ''), it('availability', '<>', 'active')])).execute(),
  ).toEqual([])
})
