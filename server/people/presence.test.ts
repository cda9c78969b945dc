import { beforeAll, expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { DEFAULT_STATUS, type Profile } from '#contract/users'
import { longTest } from '../test/support/long.ts'
import { readPage } from '../test/support/message-calls.ts'
import { type Listener, listen, type Person, serve, startParley } from '../test/support/parley.ts'

const log: string[] = []
const parley = await startParley({ LOG_LEVEL: 'warn' }, { write: (line) => void log.push(line) })
const { ada, bob } = await parley.people('ada', 'bob')
/** Bob's socket, which receives the events about the others. */
let watcher: Listener

beforeAll(async () => {
  watcher = await bob.listen()
})

/** A user's status in Bob's list. */
const profileOf = async ({ id }: Person) =>
  ((await bob.get('/api/users')).body as Profile[]).find((it) => it.id === id) as Profile
const statusOf = async (person: Person) => (await profileOf(person)).status
const becomes = (person: Person, status: string) => expect.poll(() => statusOf(person)).toBe(status)

/** The published changes of a user's status, in order. */
const changesOf = ({ id }: Person, by = watcher) => by.all('user:status_changed').filter(({ userId }) => userId === id)
/** Waits until everything so far is published. */
async function settled() {
  const { body } = await bob.put('/api/users/status', { user_status: changesOf(bob).length % 2 ? '🐢' : '🐇' })
  await expect.poll(() => changesOf(bob).at(-1)?.user_status).toBe(body.user_status)
}

test('a user is online while one of their sockets is connected, and others are notified', async () => {
  const cyd = await parley.person('cyd')
  expect(await profileOf(cyd)).toMatchObject({ status: 'offline', user_status: DEFAULT_STATUS })
  const [phone, laptop] = [await cyd.listen(), await cyd.listen()]
  expect(await statusOf(cyd)).toBe('online')
  const online = { userId: cyd.id, status: 'online', user_status: DEFAULT_STATUS }
  expect(await watcher.waitFor('user:status_changed', ({ userId }) => userId === cyd.id)).toEqual(online)
  await phone.waitFor('user:status_changed', ({ userId }) => userId === cyd.id)
  phone.socket.emit('status:update', 'offline')
  laptop.socket.emit('status:update', 'nonsense')
  await settled()
  expect(await statusOf(cyd)).toBe('online')
  laptop.socket.emit('status:update', 'offline')
  await becomes(cyd, 'offline')
  await watcher.waitFor('user:status_changed', ({ userId, status }) => userId === cyd.id && status === 'offline')
  phone.socket.emit('status:update', 'online')
  await becomes(cyd, 'online')
  await settled()
  expect(changesOf(cyd).map(({ status }) => status)).toEqual(['online', 'offline', 'online'])
})

longTest('a user who reconnects within the grace period never goes offline', async () => {
  const { nia: wanderer, rex: reloader, leo: second, gus: goer } = await parley.people('nia', 'rex', 'leo', 'gus')
  const people = [wanderer, reloader, second, goer]
  const tabs = await Promise.all(people.map((person) => person.listen()))
  await second.listen()
  for (const person of people) await watcher.waitFor('user:status_changed', ({ userId }) => userId === person.id)
  const { sockets } = parley.app.realtime.io.of('/')
  async function close(tabs: Listener[]) {
    const ids = tabs.map(({ socket }) => socket.id as string)
    for (const { socket } of tabs) socket.close()
    await expect.poll(() => ids.some((id) => sockets.has(id))).toBe(false)
  }
  await close(tabs)
  // All at once, before the grace period ends.
  const [back] = await Promise.all([
    wanderer.listen(),
    reloader.listen(),
    ...people.map(async (person) => expect(await statusOf(person)).toBe('online')),
  ])
  // A second disconnect starts another grace period, which ends some batches later.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await close([back])
  const isOffline = ({ status }: { status: string }) => status === 'offline'
  for (const { id } of [goer, wanderer])
    await watcher.waitFor('user:status_changed', (event) => event.userId === id && isOffline(event))
  const offline = watcher.all('user:status_changed').filter(isOffline)
  const ids = people.map(({ id }) => id)
  expect(offline.map(({ userId }) => userId).filter((id) => ids.includes(id))).toEqual([goer.id, wanderer.id])
  for (const person of [reloader, second]) {
    expect(await statusOf(person)).toBe('online')
    expect(changesOf(person).map(({ status }) => status)).toEqual(['online'])
  }
})

test('a user who says goodbye is offline immediately, and closing the tab changes nothing more', async () => {
  const dan = await parley.person('dan')
  const { socket } = await dan.listen()
  await watcher.waitFor('user:status_changed', ({ userId }) => userId === dan.id)
  socket.emit('status:update', 'offline')
  await becomes(dan, 'offline')
  socket.close()
  await settled()
  expect(await statusOf(dan)).toBe('offline')
  await dan.listen()
  await becomes(dan, 'online')
})

/** Returns a function for the maximum number of 250 ms batches since now, including the previous and the current one. */
function countBatches() {
  const startedAt = performance.now()
  return () => Math.ceil((performance.now() - startedAt) / 250) + 2
}

test('a storm of connects and disconnects publishes only the final state', async () => {
  const fay = await parley.person('fay')
  const { socket } = await fay.listen()
  await watcher.waitFor('user:status_changed', ({ userId }) => userId === fay.id)
  const maxBatches = countBatches()
  for (let n = 0; n < 600; n++) {
    socket.emit('status:update', n % 2 ? 'online' : 'offline')
    if (n % 2) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  socket.emit('status:update', 'offline')
  await becomes(fay, 'offline')
  await settled()
  const statuses = changesOf(fay).map(({ status }) => status)
  expect(statuses.at(-1)).toBe('offline')
  expect(statuses).toEqual(statuses.map((_, n) => (n % 2 ? 'offline' : 'online')))
  expect(statuses.length).toBeLessThanOrEqual(maxBatches())
})

test('when many users connect and disconnect at once, only their final presence is published, and messages still arrive', async () => {
  const people = Object.values(await parley.people(...Array.from({ length: 12 }, (_, n) => `flicker-${n}`)))
  const tabs = await Promise.all(people.map((person) => person.listen()))
  await settled()
  const [general] = (await ada.get('/api/channels')).body.channels
  const maxBatches = countBatches()
  for (let round = 0; round < 50; round++) {
    for (const { socket } of tabs) socket.emit('status:update', round % 2 ? 'online' : 'offline')
    if (round % 5 === 0) await ada.say(general.id, `amid it all ${round}`)
  }
  for (const { socket } of tabs) socket.emit('status:update', 'offline')
  for (let round = 0; round < 50; round += 5)
    await watcher.waitFor('message:created', ({ content }) => content === `amid it all ${round}`)
  for (const person of people) {
    await becomes(person, 'offline')
    await expect.poll(() => changesOf(person).at(-1)?.status).toBe('offline')
    const statuses = changesOf(person).map(({ status }) => status)
    expect(statuses).toEqual(statuses.map((_, n) => (n % 2 ? 'offline' : 'online')))
    expect(statuses.length).toBeLessThanOrEqual(maxBatches())
  }
})

test('a change that is undone before its batch causes no query', async () => {
  const guy = await parley.person('guy')
  const { socket } = await guy.listen()
  await watcher.waitFor('user:status_changed', ({ userId }) => userId === guy.id)
  await settled()
  for (const status of ['offline', 'online']) socket.emit('status:update', status)
  // A whole batch later.
  for (let n = 0; n < 2; n++) await settled()
  expect(changesOf(guy)).toHaveLength(1)
  // PostgreSQL would refuse to look up nobody.
  expect(log.filter((line) => line.includes('syntax error'))).toEqual([])
})

test('a status emoji is published with the status, and only the last of many in a row', async () => {
  const eli = await parley.person('eli')
  const emojis = ['🌴', '🎧', '🤒', '🏡']
  for (const emoji of emojis) expect((await eli.put('/api/users/status', { user_status: emoji })).status).toBe(200)
  const last = { userId: eli.id, status: 'offline', user_status: '🏡' }
  const rest = { statusText: '', statusUntil: null, availability: null, quietUntil: null }
  expect(await watcher.waitFor('user:status_changed', (it) => it.user_status === '🏡')).toEqual({ ...last, ...rest })
  expect(changesOf(eli).length).toBeLessThanOrEqual(emojis.length)
  expect(changesOf(eli).at(-1)).toEqual({ ...last, ...rest })
  await eli.listen()
  await expect.poll(() => changesOf(eli).at(-1)).toEqual({ ...last, status: 'online' })
})

test('users who share no channel receive no presence of each other', async () => {
  const eve = await parley.person('eve')
  await parley.app.db.deleteFrom('memberships').where('userId', '=', eve.id).execute()
  const [outsider, second] = [await eve.listen(), await eve.listen()]
  await eve.put('/api/users/status', { user_status: '🕶️' })
  const zoe = await parley.person('zoe')
  await zoe.listen()
  await watcher.waitFor('user:status_changed', ({ userId }) => userId === zoe.id)
  await settled()
  expect(changesOf(eve)).toEqual([])
  expect(changesOf(zoe, outsider)).toEqual([])
  // But the user's own other tab shows it.
  await expect.poll(() => changesOf(eve, second).at(-1)?.user_status).toBe('🕶️')
})

test('direct messages show presence and status emoji', async () => {
  const kim = await parley.person('kim')
  const { body: direct } = await bob.post('/api/direct-messages', { userIds: [kim.id] })
  await kim.put('/api/users/status', { user_status: '🎧' })
  const shown = async () => {
    const { directMessages } = (await bob.get('/api/channels')).body
    const { members } = directMessages.find(({ id }: Channel) => id === direct.id) as Channel
    const { status, user_status } = members.find(({ id }) => id === kim.id) as Profile
    return { status, user_status }
  }
  expect(await shown()).toEqual({ status: 'offline', user_status: '🎧' })
  await kim.listen()
  expect(await shown()).toEqual({ status: 'online', user_status: '🎧' })
  const members: Profile[] = (await bob.get(`/api/channels/${direct.id}/members`)).body.members
  expect(members.find(({ id }) => id === kim.id)).toMatchObject({ status: 'online', user_status: '🎧' })
  expect((await bob.get(`/api/users/${kim.id}`)).body).toMatchObject({ status: 'online', user_status: '🎧' })
})

test('the presence list is resent only if the user’s own version of it has changed', async () => {
  const [amy, ben] = [await parley.person('amy'), await parley.person('ben')]
  const url = `${parley.address}/api/users`
  let held = await readPage(amy, url, '')
  expect(held).toMatchObject({ status: 200, etag: expect.stringMatching(/^".+"$/) })
  /** Expects `act` to change Amy's list, in body and ETag, and stores the new one. */
  async function moves(what: string, act: () => Promise<unknown>) {
    expect(await readPage(amy, url, held.etag), `before ${what}`).toMatchObject({ status: 304, text: '' })
    await act()
    const fresh = await readPage(amy, url, held.etag)
    expect(fresh.status, what).toBe(200)
    expect(fresh.text, what).not.toBe(held.text)
    expect(fresh.etag, what).not.toBe(held.etag)
    held = fresh
  }
  await moves('a socket', () => ben.listen())
  await moves('an emoji', () => ben.put('/api/users/status', { user_status: '🎧' }))
  await moves('a name', () => ben.patch('/api/users/me', { name: 'Benjamin' }))
  await moves('a username', () => ben.patch('/api/users/me', { username: 'benjamin' }))
  await moves('somebody new', () => parley.person('new-one'))
  await moves('somebody gone', () => ada.put(`/api/users/${ben.id}/deactivation`, {}))
  await moves('somebody back', () => ada.delete(`/api/users/${ben.id}/deactivation`))
  await bob.say((await bob.get('/api/channels')).body.channels[0].id, 'nothing of that')
  expect(await readPage(amy, url, held.etag)).toMatchObject({ status: 304 })
  expect(await readPage(bob, url, held.etag)).toMatchObject({ status: 200 })
  expect((await readPage(ada, url, held.etag)).text).toContain(amy.email)
})

test('the list is resent after an emoji was set on another node', async () => {
  const other = await serve(parley.databaseUrl)
  const url = `${other.address}/api/users`
  let etag = ''
  // Wait until the nodes have exchanged who is online.
  await expect
    .poll(async () => {
      const page = await readPage(ada, url, etag)
      if (page.status === 200) etag = page.etag
      return page.status
    })
    .toBe(304)
  await bob.put('/api/users/status', { user_status: '🧭' })
  const { status, text } = await readPage(ada, url, etag)
  expect(status).toBe(200)
  expect((JSON.parse(text) as Profile[]).find(({ id }) => id === bob.id)?.user_status).toBe('🧭')
})

test('after a restart everyone is offline until they reconnect', async () => {
  const [tom, sue] = [await parley.person('tom'), await parley.person('sue')]
  await Promise.all([tom.listen(), sue.listen()])
  await becomes(sue, 'online')
  const held = await readPage(tom, `${parley.address}/api/users`, '')
  await parley.app.close()
  const { address } = await serve(parley.databaseUrl)
  const { status, text } = await readPage(tom, `${address}/api/users`, held.etag)
  expect(status).toBe(200)
  // Everyone except the assistant.
  const people = (JSON.parse(text) as Profile[]).filter(({ id }) => id !== 'assistant-bot')
  expect(new Set(people.map((it) => it.status))).toEqual(new Set(['offline']))
  const listener = await listen(address, tom.token)
  await listen(address, sue.token)
  await listener.waitFor('user:status_changed', (it) => it.userId === sue.id && it.status === 'online')
  const after: Profile[] = JSON.parse((await readPage(tom, `${address}/api/users`, '')).text)
  const online = after.filter((it) => it.status === 'online' && it.id !== 'assistant-bot').map(({ id }) => id)
  expect(online.toSorted()).toEqual([tom.id, sue.id].toSorted())
})
