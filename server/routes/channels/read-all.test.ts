import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import type { ReadCursor } from '#contract/channels'
import { limits } from '#contract/limits'
import type { MovedCursor } from '#contract/read-cursors'
import type { MovedThread } from '#contract/threads'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, cyd, eve } = await parley.people('ada', 'bob', 'cyd', 'eve')

let made = 0
/** A public channel of Ada's with Bob and Cyd, but not Eve, and this many messages of Ada's. */
async function newChannel(messages = 0): Promise<string> {
  const { body } = await ada.post('/api/channels', { name: `all-read-${made++}`, members: [bob.id, cyd.id] })
  for (let n = 1; n <= messages; n++) await ada.say(body.id, `message ${n}`)
  return body.id
}

async function cursorOf(person: Person, channelId: string): Promise<ReadCursor> {
  const { lastReadSeq, readVersion, unread, mentions } = (await person.get(`/api/channels/${channelId}`)).body
  return { lastReadSeq, readVersion, unread, mentions }
}

const read = (person: Person, channelId: string, body: object) => person.put(`/api/channels/${channelId}/read`, body)

/** Marks all of Bob's channels as read; returns the results for the given channels, in order. */
async function readAll(ids: string[]) {
  const { status, body } = await bob.put('/api/channels/read', {})
  expect(status).toBe(200)
  return ids.map((id) => body.channels.find(({ channelId }: MovedCursor) => channelId === id))
}
const takeBack = (person: Person, channels: object[]) => person.put('/api/channels/unread', { channels })

test('one call marks everything as read, another undoes it, on all devices', async () => {
  const [busy, quiet, calling] = [await newChannel(3), await newChannel(0), await newChannel(2)]
  await ada.say(calling, 'hello @bob')
  await read(bob, calling, { seq: 1, unread: true })
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [bob.id] })
  await ada.say(direct.id, 'psst')
  const ids = [busy, quiet, calling, direct.id]
  const before = await Promise.all(ids.map((id) => cursorOf(bob, id)))
  expect(before.map(({ unread }) => unread)).toEqual([3, 0, 3, 1])

  const [phone, hers] = [await bob.listen(), await ada.listen()]
  const all = await readAll(ids)
  const { rev } = (await bob.get(`/api/channels/${busy}`)).body
  expect(all[0]).toEqual({ channelId: busy, rev, before: 0, lastReadSeq: 3, readVersion: 0, unread: 0, mentions: 0 })
  expect(all[1]).toBeUndefined()
  for (const { before: _, ...cursor } of all.filter(Boolean))
    expect(await phone.waitFor('channel:read', (it) => it.channelId === cursor.channelId)).toEqual(cursor)
  for (const id of ids) expect(await cursorOf(bob, id)).toMatchObject({ unread: 0, mentions: 0 })
  expect(await cursorOf(cyd, busy)).toMatchObject({ unread: 3 })
  expect((await bob.put('/api/channels/read', {})).body).toEqual({ channels: [], threads: [] })

  const { body: back } = await takeBack(bob, all.filter(Boolean))
  expect(back.channels).toHaveLength(3)
  for (const [place, id] of ids.entries()) {
    const moved = id === quiet ? 0 : 1
    const was = before[place] as ReadCursor
    expect(await cursorOf(bob, id)).toEqual({ ...was, readVersion: was.readVersion + moved })
    if (moved) await phone.waitFor('channel:read', (it) => it.channelId === id && it.unread === was.unread)
  }
  // Neither an outdated read nor a second undo has an effect.
  expect((await read(bob, busy, { seq: 3, readVersion: 0 })).body).toMatchObject({ unread: 3 })
  expect((await takeBack(bob, all.filter(Boolean))).body).toEqual({ channels: [], threads: [] })
  expect(hers.all('channel:read')).toEqual([])
})

test('undoing "read all" keeps what was read, sent or marked since', async () => {
  const ids = await Promise.all([newChannel(2), newChannel(2), newChannel(2), newChannel(2)])
  const [active, marked, seen, still] = ids as [string, string, string, string]
  const all = await readAll(ids)
  await bob.say(active, 'my answer')
  await read(bob, marked, { seq: 2, unread: true })
  await ada.say(seen, 'one more')
  await read(bob, seen, { seq: 3 })
  await ada.say(still, 'nobody saw this')
  const { body } = await takeBack(bob, all)
  expect(body.channels.map(({ channelId }: MovedCursor) => channelId)).toEqual([still])
  expect(await cursorOf(bob, active)).toMatchObject({ lastReadSeq: 3, unread: 0 })
  expect(await cursorOf(bob, marked)).toMatchObject({ lastReadSeq: 1, unread: 1 })
  expect(await cursorOf(bob, seen)).toMatchObject({ lastReadSeq: 3, unread: 0 })
  expect(await cursorOf(bob, still)).toMatchObject({ lastReadSeq: 0, unread: 3 })
})

test('undoing "read all" neither reveals nor changes channels one is not in', async () => {
  const id = await newChannel(2)
  const [all] = await readAll([id])
  const places = [all, { ...all, channelId: uuid() }]
  expect(await takeBack(eve, places)).toMatchObject({ status: 200, body: { channels: [] } })
  await cyd.put('/api/channels/read', {})
  expect(await cursorOf(bob, id)).toMatchObject({ lastReadSeq: 2, unread: 0 })
  await bob.post(`/api/channels/${id}/leave`)
  expect((await takeBack(bob, places)).body).toEqual({ channels: [], threads: [] })
  for (const wrong of [{}, [{ channelId: id }], [{ ...all, before: -1 }], [{ ...all, before: 1e300 }]])
    expect((await bob.put('/api/channels/unread', { channels: wrong })).status).toBe(400)
})

test('marking everything as read does not block writers', async () => {
  const ids = await Promise.all([newChannel(1), newChannel(1), newChannel(1)])
  const acts = Array.from({ length: 20 }, (_, n) => [
    bob.say(ids[n % 3] as string, 'busy'),
    ada.say(ids[(n + 1) % 3] as string, 'busy too'),
    readAll(ids),
  ])
  await Promise.all(acts.flat())
  await readAll(ids)
  for (const id of ids) expect(await cursorOf(bob, id)).toMatchObject({ unread: 0 })
})

/** A thread of Ada's that Bob follows, in a channel of theirs, with this many unread replies. */
async function newThread(replies: number) {
  const channelId = await newChannel()
  const { id: threadId } = await ada.say(channelId, 'What do you think?')
  await bob.put(`/api/threads/${threadId}/follow`, {})
  const reply = (content: string) => ada.post('/api/threads/messages', { parentMessageId: threadId, content })
  for (let n = 1; n < replies; n++) await reply(`reply ${n}`)
  if (replies > 0) await reply('and you, @bob?')
  return { channelId, threadId }
}

async function threadOf(person: Person, threadId: string) {
  const { body } = await person.get('/api/threads?limit=100')
  const { unread, mentions } = body.threads.find((it: { threadId: string }) => it.threadId === threadId)
  return { unread, mentions }
}

test('"read all" and its undo include threads, on all devices, and only one’s own', async () => {
  const { channelId, threadId } = await newThread(2)
  const ended = await newThread(1)
  await bob.post(`/api/channels/${ended.channelId}/leave`, {})
  await cyd.put(`/api/threads/${threadId}/follow`, {})
  await ada.post('/api/threads/messages', { parentMessageId: threadId, content: 'for Cyd too' })
  const device = await bob.listen()
  expect(await threadOf(bob, threadId)).toEqual({ unread: 3, mentions: 1 })

  const { body: moved } = await bob.put('/api/channels/read', {})
  const read = { threadId, channelId, isFollowing: true, lastReadSeq: 3, unread: 0, mentions: 0 }
  expect(moved.threads).toEqual([expect.objectContaining({ ...read, before: 0 })])
  expect(await device.waitFor('thread:read', (it) => it.threadId === threadId)).toMatchObject(read)
  expect(await threadOf(bob, threadId)).toEqual({ unread: 0, mentions: 0 })
  expect(await threadOf(cyd, threadId)).toEqual({ unread: 1, mentions: 0 })

  // One user's cursors do not affect another's.
  expect((await cyd.put('/api/channels/unread', moved)).body.threads).toEqual([])
  const { body: back } = await bob.put('/api/channels/unread', moved)
  expect(back.threads).toEqual([
    expect.objectContaining({ threadId, lastReadSeq: 0, unread: 3, mentions: 1, before: 3 }),
  ])
  await device.waitFor('thread:read', (it) => it.threadId === threadId && it.unread === 3)
  // It works only once.
  expect((await bob.put('/api/channels/unread', moved)).body).toEqual({ channels: [], threads: [] })
})

test('undoing keeps threads read or marked since, and threads of channels that were left', async () => {
  const { threadId } = await newThread(1)
  const left = await newThread(1)
  const { body } = await bob.put('/api/channels/read', {})
  const ids = [threadId, left.threadId]
  const moved = { ...body, threads: body.threads.filter((it: MovedThread) => ids.includes(it.threadId)) }
  expect(moved.threads).toHaveLength(2)
  await ada.post('/api/threads/messages', { parentMessageId: threadId, content: 'one more' })
  await bob.put(`/api/threads/${threadId}/read`, { seq: 2 })
  await bob.post(`/api/channels/${left.channelId}/leave`, {})
  expect((await bob.put('/api/channels/unread', moved)).body.threads).toEqual([])
  expect(await threadOf(bob, threadId)).toEqual({ unread: 0, mentions: 0 })
})

test('one call can undo as many channels as one call marks as read', async () => {
  const movement = { before: Number.MAX_SAFE_INTEGER - 1, lastReadSeq: Number.MAX_SAFE_INTEGER, readVersion: 1_000_000 }
  const many = Array.from({ length: limits.unreadAtOnce }, () => uuid())
  const unread = (body: object) => ada.put('/api/channels/unread', body)
  const channels = many.map((channelId) => ({ channelId, ...movement }))
  expect((await unread({ channels, threads: [] })).status).toBe(200)
  const threads = many.map((threadId) => ({ threadId, ...movement }))
  expect((await unread({ channels: [], threads })).status).toBe(200)
})
