import { expect, test } from 'vitest'
import type { Message } from '#contract/messages'
import type { ThreadCursor } from '#contract/threads'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, cyd, dan, eve } = await parley.people('ada', 'bob', 'cyd', 'dan', 'eve')

let made = 0
/** A private channel of Ada's with Bob, Cyd and Dan, but not Eve, and a message of Ada's to reply to. */
async function newThread(content = 'what do you think?'): Promise<Message> {
  const members = [bob.id, cyd.id, dan.id]
  const { body } = await ada.post('/api/channels', { name: `follows-${made++}`, isPrivate: true, members })
  return ada.say(body.id, content)
}

const reply = async (person: Person, { id }: Message, content = 'a reply'): Promise<Message> =>
  (await person.post('/api/threads/messages', { parentMessageId: id, content })).body
const follow = async (person: Person, { id }: Message) => (await person.put(`/api/threads/${id}/follow`, {})).body
const unfollow = async (person: Person, { id }: Message) => (await person.delete(`/api/threads/${id}/follow`)).body
const read = async (person: Person, { id }: Message, body: object) =>
  (await person.put(`/api/threads/${id}/read`, body)).body as ThreadCursor

type Listed = ThreadCursor & { parent: Message }
const threads = async (person: Person, query = '?limit=100'): Promise<Listed[]> =>
  (await person.get(`/api/threads${query}`)).body.threads
const listed = async (person: Person, { id }: Message) =>
  (await threads(person)).find(({ threadId }) => threadId === id)
/** The unread counts of Ada, Bob, Cyd and Dan in a thread; null for those who do not follow it. */
const unread = async (parent: Message) =>
  (await Promise.all([ada, bob, cyd, dan].map((person) => listed(person, parent)))).map(
    (thread) => thread?.unread ?? null,
  )

test('a thread is followed by its parent’s author, those who reply and those mentioned, and nobody else', async () => {
  const parent = await newThread()
  expect(await unread(parent)).toEqual([null, null, null, null])
  await reply(bob, parent)
  expect(await unread(parent)).toEqual([1, 0, null, null])
  await reply(bob, parent, 'ask @cyd')
  expect(await unread(parent)).toEqual([2, 0, 1, null])
  await reply(ada, parent, '@channel, @here and @eve')
  expect(await unread(parent)).toEqual([0, 1, 2, null])
  expect((await threads(eve)).map(({ threadId }) => threadId)).not.toContain(parent.id)
})

test('a user mentioned by an edited reply follows from then on; earlier mentions do not notify again', async () => {
  const parent = await newThread()
  const { id } = await reply(bob, parent, 'ask somebody, @dan')
  await read(dan, parent, { seq: 1 })
  await bob.put(`/api/messages/${id}`, { content: 'ask @cyd, @dan' })
  expect(await unread(parent)).toEqual([1, 0, 1, 0])
  expect((await listed(cyd, parent))?.mentions).toBe(1)
})

test('a user mentioned in a message follows its thread from the first reply', async () => {
  const parent = await newThread('@bob and @dan?')
  expect(await unread(parent)).toEqual([null, null, null, null])
  await reply(cyd, parent)
  expect(await unread(parent)).toEqual([1, 1, 0, 1])
})

test('following a thread starts with everything read, and is idempotent', async () => {
  const parent = await newThread()
  await reply(bob, parent)
  const cursor = await follow(dan, parent)
  expect(cursor).toEqual({
    threadId: parent.id,
    isFollowing: true,
    lastReadSeq: 1,
    readVersion: 0,
    unread: 0,
    mentions: 0,
  })
  await reply(bob, parent)
  expect(await follow(dan, parent)).toEqual({ ...cursor, unread: 1 })
  expect(await unread(parent)).toEqual([2, 0, null, 1])
})

test('a user who unfollows gets no counts until they reply or are mentioned', async () => {
  const parent = await newThread()
  await reply(bob, parent)
  expect(await unfollow(ada, parent)).toMatchObject({ isFollowing: false, unread: 0, mentions: 0 })
  await reply(bob, parent, 'and @channel')
  expect(await unread(parent)).toEqual([null, 0, null, null])
  await reply(bob, parent, '@ada, come back')
  expect(await listed(ada, parent)).toMatchObject({ isFollowing: true, unread: 1, mentions: 1 })
  await unfollow(ada, parent)
  await reply(bob, parent)
  await reply(ada, parent)
  expect(await unread(parent)).toEqual([0, 1, null, null])
  await unfollow(ada, parent)
  await reply(bob, parent)
  expect(await follow(ada, parent)).toMatchObject({ isFollowing: true, lastReadSeq: 6, unread: 0 })
})

test('a user who unfollowed before the first reply does not follow, not even the parent’s author', async () => {
  const parent = await newThread()
  expect(await unfollow(ada, parent)).toMatchObject({ isFollowing: false })
  await reply(bob, parent)
  expect(await unread(parent)).toEqual([null, 0, null, null])
})

test('a thread cursor moves forward only, and never beyond the last reply', async () => {
  const parent = await newThread()
  for (let n = 1; n <= 4; n++) await reply(bob, parent)
  expect(await read(ada, parent, { seq: 2 })).toMatchObject({ lastReadSeq: 2, unread: 2, isFollowing: true })
  expect(await read(ada, parent, { seq: 1 })).toMatchObject({ lastReadSeq: 2, unread: 2 })
  expect(await read(ada, parent, { seq: 99 })).toMatchObject({ lastReadSeq: 4, unread: 0 })
  await reply(cyd, parent)
  expect(await unread(parent)).toEqual([1, 1, 0, null])
})

test('marking a thread as unread wins over an earlier read in flight', async () => {
  const parent = await newThread()
  for (let n = 1; n <= 3; n++) await reply(bob, parent)
  const { readVersion } = await read(ada, parent, { seq: 3 })
  const marked = await read(ada, parent, { seq: 2, unread: true, readVersion })
  expect(marked).toMatchObject({ lastReadSeq: 1, readVersion: readVersion + 1, unread: 2 })
  expect(await read(ada, parent, { seq: 3, readVersion })).toEqual(marked)
  expect(await listed(ada, parent)).toMatchObject(marked)
  expect(await read(ada, parent, { seq: 3, readVersion: readVersion + 1 })).toMatchObject({ unread: 0 })
  await read(ada, parent, { seq: 1, unread: true })
  await reply(ada, parent)
  expect(await listed(ada, parent)).toMatchObject({ lastReadSeq: 4, unread: 0 })
})

test('a user who does not follow a thread has no unread count and no cursor', async () => {
  const parent = await newThread()
  const sent = await reply(bob, parent, '@channel')
  const nothing = { threadId: parent.id, isFollowing: false, lastReadSeq: 0, readVersion: 0, unread: 0, mentions: 0 }
  expect(await read(dan, parent, { seq: 1 })).toEqual(nothing)
  expect(await read(dan, parent, { seq: 1, unread: true })).toEqual(nothing)
  expect(await unread(parent)).toEqual([1, 0, null, null])
  for (const answer of [
    await dan.put(`/api/threads/${sent.id}/read`, { seq: 1 }),
    await dan.put(`/api/threads/${sent.id}/follow`, {}),
  ])
    expect(answer).toMatchObject({ status: 404, code: 'not_found' })
})

test('following and reading are published to one’s own sockets only and change no revision', async () => {
  const parent = await newThread()
  const { rev } = await reply(bob, parent)
  const [phone, laptop, his] = [await ada.listen(), await ada.listen(), await bob.listen()]
  const cursors = [
    await unfollow(ada, parent),
    await follow(ada, parent),
    await read(ada, parent, { seq: 1, unread: true }),
    await read(ada, parent, { seq: 1 }),
  ]
  const events = cursors.map((cursor) => ({ ...cursor, channelId: parent.channelId }))
  for (const own of [phone, laptop]) await expect.poll(() => own.all('thread:read')).toEqual(events)
  expect(his.all('thread:read')).toEqual([])
  expect((await ada.get(`/api/channels/${parent.channelId}`)).body.rev).toBe(rev)
})

test('mentions in a thread count once for its followers, and deleting removes them', async () => {
  const parent = await newThread()
  await reply(bob, parent, '@ada @channel')
  const second = await reply(bob, parent, '@channel')
  await reply(ada, parent, '@cyd')
  await reply(bob, parent, 'hm')
  const third = await reply(bob, parent, '@ada and @bob')
  const counts = async () =>
    (await Promise.all([ada, bob, cyd, dan].map((person) => listed(person, parent)))).map((thread) => thread?.mentions)
  expect(await counts()).toEqual([1, 0, 1, undefined])
  expect(await read(ada, parent, { seq: 1, unread: true })).toMatchObject({ unread: 5, mentions: 3 })
  // Mentions of oneself don't count.
  expect(await read(bob, parent, { seq: 1, unread: true })).toMatchObject({ unread: 5, mentions: 0 })
  await bob.delete(`/api/messages/${second.id}`)
  expect(await counts()).toEqual([2, 0, 1, undefined])
  await bob.put(`/api/threads/messages/${third.id}`, { content: '@cyd then' })
  expect(await counts()).toEqual([1, 0, 2, undefined])
  for (const person of [ada, cyd])
    expect((await person.get(`/api/channels/${parent.channelId}`)).body).toMatchObject({ mentions: 0 })
})

test('my threads are listed by latest reply, in pages', async () => {
  const fay = await parley.person('fay')
  const { body: channel } = await fay.post('/api/channels', { name: 'threads of fay', members: [bob.id] })
  const parents: Message[] = []
  for (const n of [1, 2, 3, 4, 5]) parents.push(await fay.say(channel.id, `${n}`))
  const [one, two, three, four, five] = parents as [Message, Message, Message, Message, Message]
  for (const parent of [three, one, five]) await reply(bob, parent)
  await follow(fay, four)
  const ids = async (query = '') => (await threads(fay, query)).map(({ threadId }) => threadId)
  expect(await ids()).toEqual([five, one, three, four].map(({ id }) => id))
  await reply(bob, three)
  expect(await ids()).toEqual([three, five, one, four].map(({ id }) => id))
  const [first] = await threads(fay)
  const page: Message[] = (await fay.get(`/api/messages/channel/${channel.id}`)).body
  expect(first?.parent).toEqual(page.find(({ id }) => id === three.id))
  expect(first).toMatchObject({ unread: 2, parent: { replyCount: 2 } })
  const paged = async (page: number) => (await fay.get(`/api/threads?limit=3&page=${page}`)).body
  expect((await paged(1)).pagination).toMatchObject({ page: 1, limit: 3, hasMore: true })
  expect(await paged(2)).toMatchObject({ threads: [{ threadId: four.id }], pagination: { page: 2, hasMore: false } })
  expect(await paged(3)).toMatchObject({ threads: [], pagination: { page: 3, hasMore: false } })
  expect((await fay.get('/api/threads?limit=4')).body.pagination.hasMore).toBe(false)
  for (const query of ['limit=0', 'limit=101', 'page=0', 'page=x'])
    expect((await fay.get(`/api/threads?${query}`)).status).toBe(400)
  await fay.delete(`/api/messages/${five.id}`)
  expect(await listed(fay, five)).toMatchObject({ unread: 1, parent: { content: '', replyCount: 1 } })
  expect(await ids()).not.toContain(two.id)
})

test('leaving a channel removes its threads from my list, and rejoining restores them', async () => {
  const [parent, gone] = [await newThread(), await newThread()]
  for (const message of [parent, gone]) await reply(bob, message)
  await bob.post(`/api/channels/${parent.channelId}/leave`)
  await reply(ada, parent, '@bob are you there?')
  expect(await listed(bob, parent)).toBeUndefined()
  expect((await bob.put(`/api/threads/${parent.id}/read`, { seq: 1 })).status).toBe(404)
  await ada.post(`/api/channels/${parent.channelId}/invite`, { userId: bob.id })
  expect(await listed(bob, parent)).toMatchObject({ isFollowing: true, mentions: 0 })
  await ada.delete(`/api/channels/${gone.channelId}`)
  for (const person of [ada, bob]) expect(await listed(person, gone)).toBeUndefined()
})

test('reading a thread cursor neither writes nor publishes anything', async () => {
  const parent = await newThread()
  const { id } = await reply(bob, parent, '@ada?')
  const cursor = (person: Person, threadId = parent.id) => person.get(`/api/threads/${threadId}/cursor`)
  const listener = await ada.listen()
  expect((await cursor(ada)).body).toEqual({
    threadId: parent.id,
    isFollowing: true,
    lastReadSeq: 0,
    readVersion: 0,
    unread: 1,
    mentions: 1,
  })
  expect((await cursor(dan)).body).toMatchObject({ isFollowing: false, lastReadSeq: 0, unread: 0 })
  expect(await unread(parent)).toEqual([1, 0, null, null])
  expect((await cursor(eve)).status).toBe(404)
  expect((await cursor(ada, id)).status).toBe(404)
  await reply(bob, parent)
  await listener.waitFor('thread:message_created', (message) => message.parent.id === parent.id)
  expect(listener.all('thread:read')).toEqual([])
})
