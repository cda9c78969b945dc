import { beforeAll, expect, test } from 'vitest'
import type { Profile } from '#contract/users'
import { readPage } from '../test/support/message-calls.ts'
import { type Listener, type Person, startParley } from '../test/support/parley.ts'

// Idle people: online, but without input for a while.

const parley = await startParley()
const { bob } = await parley.people('bob')
/** Bob's socket, which receives the events about the others. */
let watcher: Listener

beforeAll(async () => {
  watcher = await bob.listen()
})

/** A user in Bob's list. */
const profileOf = async ({ id }: Person) =>
  ((await bob.get('/api/users')).body as Profile[]).find((it) => it.id === id) as Profile
const becomes = (person: Person, status: string) =>
  expect.poll(async () => (await profileOf(person)).status).toBe(status)

/** The published changes of a user's status, in order. */
const changesOf = ({ id }: Person) => watcher.all('user:status_changed').filter(({ userId }) => userId === id)
/** Waits until everything so far is published. */
async function settled() {
  const statusText = `turn ${turns++}`
  await bob.put('/api/users/status', { user_status: '🐢', text: statusText })
  await watcher.waitFor('user:status_changed', (it) => it.statusText === statusText)
}
let turns = 0

test('an online user is idle while all of their sockets are, and others are notified', async () => {
  const eli = await parley.person('eli-idle')
  const [phone, laptop] = [await eli.listen(), await eli.listen()]
  await becomes(eli, 'online')
  const isIdle = async () => (await profileOf(eli)).isIdle
  phone.socket.emit('status:update', 'idle')
  await settled()
  expect(await isIdle()).toBeUndefined()
  const url = `${parley.address}/api/users`
  const held = await readPage(bob, url, '')
  laptop.socket.emit('status:update', 'idle')
  await watcher.waitFor('user:status_changed', (it) => it.userId === eli.id && it.isIdle === true)
  expect(await profileOf(eli)).toMatchObject({ status: 'online', isIdle: true })
  expect((await readPage(bob, url, held.etag)).status).toBe(200)
  phone.socket.emit('status:update', 'online')
  await expect.poll(isIdle).toBeUndefined()
  phone.socket.emit('status:update', 'offline')
  await expect.poll(isIdle).toBe(true)
  laptop.socket.emit('status:update', 'offline')
  await becomes(eli, 'offline')
  expect(await profileOf(eli)).not.toHaveProperty('isIdle')
  await settled()
  const changes = changesOf(eli).map(({ status, isIdle }) => (isIdle ? 'idle' : status))
  // Changes that follow each other within a batch are published as one.
  expect(changes.slice(0, 2)).toEqual(['online', 'idle'])
  expect(changes.at(-1)).toBe('offline')
  expect(changes.some((change, nth) => change === changes[nth - 1])).toBe(false)
})

test('a user who becomes idle and returns before the batch causes no event', async () => {
  const flo = await parley.person('flo')
  const { socket } = await flo.listen()
  await watcher.waitFor('user:status_changed', ({ userId }) => userId === flo.id)
  for (const status of ['idle', 'online'] as const) socket.emit('status:update', status)
  for (let n = 0; n < 2; n++) await settled()
  expect(changesOf(flo)).toHaveLength(1)
})

test('nothing reveals that an invisible person is idle, until they are visible', async () => {
  const ivy = await parley.person('ivy')
  const { socket } = await ivy.listen()
  await becomes(ivy, 'online')
  await ivy.put('/api/users/me/availability', { availability: 'invisible' })
  await becomes(ivy, 'offline')
  await settled()
  const url = `${parley.address}/api/users`
  const [{ etag }, count] = [await readPage(bob, url, ''), changesOf(ivy).length]
  socket.emit('status:update', 'idle')
  // The answer shows that the event before it was handled.
  const joined = new Promise((resolve) => socket.once('channel:joined', resolve))
  socket.emit('channel:join', (await ivy.get('/api/channels')).body.channels[0].id)
  await joined
  expect(parley.app.presence.isIdle(ivy.id)).toBe(false)
  expect((await readPage(bob, url, etag)).status).toBe(304)
  await settled()
  expect(changesOf(ivy)).toHaveLength(count)
  await ivy.put('/api/users/me/availability', { availability: 'active' })
  await watcher.waitFor('user:status_changed', (it) => it.userId === ivy.id && it.isIdle === true)
})
