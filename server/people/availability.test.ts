import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import type { Profile } from '#contract/users'
import { readPage } from '../test/support/message-calls.ts'
import { type Listener, listen, type Person, serve, startParley, untilPeers } from '../test/support/parley.ts'
import { endStatuses } from './end-statuses.ts'

const parley = await startParley()
const { ada, bob } = await parley.people('ada', 'bob')
const other = await serve(parley.databaseUrl)
await untilPeers(parley, other)
const [general] = (await ada.get('/api/channels')).body.channels as Channel[]
const generalId = general?.id as string

const be = (person: Person, availability: string, until?: string) =>
  person.put('/api/users/me/availability', { availability, ...(until && { until }) })
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const nodes = [parley.address, other.address]
async function profileAt(address: string, { id }: Person) {
  const { text } = await readPage(bob, `${address}/api/users`, '')
  return (JSON.parse(text) as Profile[]).find((it) => it.id === id) as Profile
}
const becomes = (person: Person, status: string) =>
  expect
    .poll(async () => (await Promise.all(nodes.map((node) => profileAt(node, person)))).map((it) => it.status))
    .toEqual([status, status])
const ofPerson =
  ({ id }: Person) =>
  (it: { event: string; payload: unknown }) =>
    JSON.stringify(it).includes(id)
/** Waits until Bob has received everything so far on both nodes. */
async function settled(listeners: Listener[]) {
  const { id: lastId } = await bob.say(generalId, 'so far')
  for (const listener of listeners) await listener.waitFor('message:created', ({ id }) => id === lastId)
  // Statuses are sent in batches, after messages.
  const counts = listeners.map((listener) => listener.all('user:status_changed').length)
  const { body: mine } = await bob.put('/api/users/status', { user_status: ['🐢', '🐇'][turns++ % 2] })
  const isMine = (it: { userId: string; user_status: string }) =>
    it.userId === bob.id && it.user_status === mine.user_status
  for (const [at, listener] of listeners.entries())
    await expect.poll(() => listener.all('user:status_changed').slice(counts[at]).some(isMine)).toBe(true)
}
let turns = 0

/** The ETags of the list of people on each node, once they are stable. */
async function stableEtags(listeners: Listener[]) {
  const read = () => Promise.all(nodes.map(async (node) => (await readPage(bob, `${node}/api/users`, '')).etag))
  let etags: string[] = []
  await settled(listeners)
  const isStable = async () => {
    const before = etags.join()
    etags = await read()
    return etags.join() === before
  }
  await expect.poll(isStable, { interval: 200 }).toBe(true)
  return etags
}

test('others see away and do not disturb on every node, and still see who is online', async () => {
  const cyd = await parley.person('cyd')
  const cyds = await cyd.listen()
  await becomes(cyd, 'online')
  const there = await listen(other.address, bob.token)
  expect((await be(cyd, 'away')).body).toEqual({ availability: 'away', quietUntil: null })
  const heard = (availability: string | null) =>
    there.waitFor('user:status_changed', (it) => it.userId === cyd.id && it.availability === availability)
  expect(await heard('away')).toMatchObject({ status: 'online', quietUntil: null })
  for (const node of nodes) expect(await profileAt(node, cyd)).toMatchObject({ status: 'online', availability: 'away' })
  await cyds.waitFor('user:availability_changed', (it) => it.availability === 'away')

  const until = inHours(2)
  await be(cyd, 'quiet', until)
  expect(await heard('quiet')).toMatchObject({ status: 'online', quietUntil: until })
  expect((await cyd.get('/api/users/me/availability')).body).toMatchObject({ availability: 'quiet', quietUntil: until })
  await be(cyd, 'active')
  expect(await heard(null)).toMatchObject({ status: 'online', quietUntil: null })
  expect(await profileAt(other.address, cyd)).not.toHaveProperty('availability')
})

test('do not disturb needs an end within a year, and ends automatically', async () => {
  const dot = await parley.person('dot')
  for (const until of [undefined, inHours(-1), inHours(24 * 400), 'soon'])
    expect(await be(dot, 'quiet', until)).toMatchObject({ status: 400, code: 'invalid' })
  expect(await be(dot, 'asleep')).toMatchObject({ status: 400 })
  await be(dot, 'quiet', inHours(1))
  const here = await bob.listen()
  const { etag } = await readPage(bob, `${parley.address}/api/users`, '')
  const past = new Date(Date.now() - 1000).toISOString()
  await parley.app.db.updateTable('users').set({ quietUntil: past }).where('id', '=', dot.id).execute()
  expect((await dot.get('/api/users/me/availability')).body.availability).toBe('active')
  expect((await readPage(bob, `${parley.address}/api/users`, etag)).status).toBe(200)
  expect(await profileAt(other.address, dot)).not.toHaveProperty('availability')
  await endStatuses(parley.app.db)
  parley.app.pollSoon()
  await here.waitFor('user:status_changed', (it) => it.userId === dot.id && it.availability === null)
})

test('@here omits people who do not want to be disturbed, and counts them as away', async () => {
  const { eli, fay } = await parley.people('eli', 'fay')
  await Promise.all([eli.listen(), fay.listen()])
  await becomes(eli, 'online')
  await becomes(fay, 'online')
  const mentions = async (person: Person) =>
    ((await person.get(`/api/channels/${generalId}`)).body as Channel).mentions as number
  const away = async () => (await ada.get(`/api/channels/${generalId}/audience`)).body.away as number
  const [before, awake] = [await away(), await Promise.all([eli, fay].map(mentions))]
  await be(eli, 'quiet', inHours(1))
  await ada.say(generalId, '@here are you?')
  expect((await Promise.all([eli, fay].map(mentions))).map((count, at) => count - (awake[at] ?? 0))).toEqual([0, 1])
  expect(await away()).toBe(before + 1)
})

test('invisible people appear offline to everybody, in lists, counts, @here and typing, on every node', async () => {
  const { gus, hal } = await parley.people('gus', 'hal')
  const listeners = [await bob.listen(), await listen(other.address, bob.token)]
  const guss = await listen(other.address, gus.token)
  await hal.listen()
  await becomes(gus, 'online')
  await becomes(hal, 'online')
  // A change that is undone before it was published is never published.
  for (const listener of listeners)
    await listener.waitFor('user:status_changed', (it) => it.userId === gus.id && it.status === 'online')
  const { body: direct } = await gus.post('/api/direct-messages', { userIds: [bob.id] })
  for (const { socket } of listeners) socket.emit('channel:join', direct.id)
  await Promise.all(listeners.map((it) => it.waitFor('channel:joined', ({ channelId }) => channelId === direct.id)))
  const away = async () => (await ada.get(`/api/channels/${generalId}/audience`)).body.away as number
  const before = await away()

  await be(gus, 'invisible')
  for (const listener of listeners)
    await listener.waitFor('user:status_changed', (it) => it.userId === gus.id && it.status === 'offline')
  await becomes(gus, 'offline')
  await guss.waitFor('user:availability_changed', (it) => it.availability === 'invisible')
  expect(await away()).toBe(before + 1)
  expect(await profileAt(parley.address, gus)).not.toHaveProperty('availability')
  for (const url of [`/api/channels/${direct.id}`, `/api/channels/${generalId}/members?limit=100`])
    expect((await bob.get(url)).body.members.find(({ id }: Profile) => id === gus.id).status).toBe('offline')
  expect((await ada.get('/api/workspace/people')).body.find(({ id }: Profile) => id === gus.id)).toMatchObject({
    status: 'offline',
  })
  const mentions = ((await gus.get(`/api/channels/${generalId}`)).body as Channel).mentions as number
  await ada.say(generalId, '@here are you?')
  expect(((await gus.get(`/api/channels/${generalId}`)).body as Channel).mentions).toBe(mentions)
  guss.socket.emit('typing', { channelId: direct.id })
  await settled(listeners)
  for (const listener of listeners) expect(listener.all('typing').filter(({ user }) => user.id === gus.id)).toEqual([])

  await be(gus, 'active')
  await becomes(gus, 'online')
})

test('no event, list or version reveals that an invisible person connects, leaves or reloads', async () => {
  const { ida, jim } = await parley.people('ida', 'jim')
  await be(ida, 'invisible')
  await be(jim, 'away')
  const listeners = [await bob.listen(), await listen(other.address, bob.token)]
  const etags = await stableEtags(listeners)
  const counts = listeners.map(({ events }) => events.length)
  const late = await Promise.all([ida.listen(), listen(other.address, ida.token), ida.listen()])
  late[0]?.socket.emit('status:update', 'offline')
  late[0]?.socket.emit('status:update', 'online')
  late[2]?.socket.close()
  // A node that starts now doesn't reveal it either.
  const third = await serve(parley.databaseUrl)
  await untilPeers(parley, other, third)
  expect((await profileAt(third.address, ida)).status).toBe('offline')
  await third.app.close()
  await ida.put('/api/users/me/availability', { availability: 'invisible' })
  for (const [at, node] of nodes.entries())
    expect((await readPage(bob, `${node}/api/users`, etags[at] ?? '')).status).toBe(304)
  await settled(listeners)
  for (const [at, { events }] of listeners.entries()) expect(events.slice(counts[at]).filter(ofPerson(ida))).toEqual([])
})

test('an offline person who becomes invisible or visible again causes no event', async () => {
  const kim = await parley.person('kim')
  const listeners = [await bob.listen(), await listen(other.address, bob.token)]
  const etags = await stableEtags(listeners)
  await be(kim, 'invisible')
  await be(kim, 'active')
  await be(kim, 'invisible')
  for (const [at, node] of nodes.entries())
    expect((await readPage(bob, `${node}/api/users`, etags[at] ?? '')).status).toBe(304)
  await settled(listeners)
  for (const { events } of listeners) expect(events.filter(ofPerson(kim))).toEqual([])
})

test('an invisible person who sets a status still appears offline', async () => {
  const lee = await parley.person('lee')
  await be(lee, 'invisible')
  const watcher = await bob.listen()
  await lee.listen()
  await lee.put('/api/users/status', { user_status: '🦔' })
  expect(await watcher.waitFor('user:status_changed', ({ userId }) => userId === lee.id)).toMatchObject({
    status: 'offline',
    user_status: '🦔',
  })
  // A node that starts now reads it from the database.
  const third = await serve(parley.databaseUrl)
  await listen(third.address, lee.token)
  expect((await profileAt(third.address, lee)).status).toBe('offline')
})
