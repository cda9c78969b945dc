import { expect, test } from 'vitest'
import type { Message } from '#contract/messages'
import type { FollowedThread } from '#contract/threads'
import { bounds } from '../../limits/bounds.ts'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')

let made = 0
/** A private channel of Ada's with Bob, but not Eve. */
const newChannel = async () =>
  (await ada.post('/api/channels', { name: `followed-${made++}`, isPrivate: true, members: [bob.id] })).body
    .id as string
const reply = async (person: Person, parent: Message, content: string): Promise<Message> =>
  (await person.post('/api/threads/messages', { parentMessageId: parent.id, content })).body

interface Page {
  threads: FollowedThread[]
  pagination: { page: number; limit: number; hasMore: boolean; nextCursor: string | null }
}
const list = async (person: Person, query = ''): Promise<Page> =>
  (await person.get(`/api/threads?latestReplies=2${query}`)).body
const listed = async (person: Person, { id }: Message) =>
  (await list(person, '&limit=100')).threads.find(({ threadId }) => threadId === id)
const contents = (messages: readonly Message[] = []) => messages.map(({ content }) => content)

test('a thread is listed with its last two replies, and without them unless asked', async () => {
  const parent = await ada.say(await newChannel(), 'what now?')
  await reply(bob, parent, 'one')
  expect(contents((await listed(ada, parent))?.latestReplies)).toEqual(['one'])
  await reply(ada, parent, 'two')
  const last = await reply(bob, parent, '**three** @ada')
  const thread = await listed(ada, parent)
  expect(thread?.latestReplies).toMatchObject([
    { content: 'two', seq: 2, threadId: parent.id, user: { username: 'ada' } },
    { content: '**three** @ada', seq: 3, mentions: [{ userId: ada.id }], user: { username: 'bob', name: bob.name } },
  ])
  expect(thread).toMatchObject({ rev: last.rev, parent: { content: 'what now?', replyCount: 3 }, unread: 1 })
  const { body } = await ada.get('/api/threads')
  expect(body.threads[0]).toMatchObject({ threadId: parent.id, latestReplies: [] })
})

test('deleted replies do not count towards the last two', async () => {
  const parent = await ada.say(await newChannel(), 'who deletes?')
  const replies: Message[] = []
  for (let n = 1; n <= 14; n++) replies.push(await reply(bob, parent, `reply ${n}`))
  const remove = (...seqs: number[]) =>
    Promise.all(seqs.map((seq) => bob.delete(`/api/messages/${replies[seq - 1]?.id}`)))
  await remove(13)
  const shown = async () => (await listed(ada, parent))?.latestReplies.map(({ seq, deletedAt }) => [seq, !deletedAt])
  expect(await shown()).toEqual([
    [12, true],
    [13, false],
    [14, true],
  ])
  await remove(14, 12, 11, 10)
  expect(await shown()).toEqual([8, 9, 10, 11, 12, 13, 14].map((seq) => [seq, seq < 10]))
  await remove(9, 8, 7, 6, 5)
  expect(await shown()).toEqual([[14, false]])
})

test('a thread of a deleted message is listed as long as it has replies', async () => {
  const parent = await ada.say(await newChannel(), 'who stays?')
  const first = await reply(bob, parent, 'I do')
  await ada.delete(`/api/messages/${parent.id}`)
  expect(await listed(ada, parent)).toMatchObject({ parent: { content: '' }, latestReplies: [{ content: 'I do' }] })
  await reply(ada, parent, 'so do I')
  const last = (await listed(ada, parent))?.latestReplies.at(-1)
  await bob.delete(`/api/messages/${first.id}`)
  await ada.delete(`/api/messages/${last?.id}`)
  expect(await listed(ada, parent)).toBeUndefined()
})

test('outsiders and removed members see nothing of a thread', async () => {
  const channelId = await newChannel()
  await ada.post(`/api/channels/${channelId}/invite`, { userId: eve.id })
  const parent = await ada.say(channelId, 'for members')
  await reply(eve, parent, 'I am one')
  await reply(bob, parent, 'secret @eve')
  expect(contents((await listed(eve, parent))?.latestReplies)).toEqual(['I am one', 'secret @eve'])
  expect((await ada.post(`/api/channels/${channelId}/remove-member`, { userId: eve.id })).status).toBe(200)
  const whole = await eve.get('/api/threads?latestReplies=2&limit=100')
  expect(JSON.stringify(whole.body)).not.toContain('secret')
  expect(whole.body.threads).toEqual([])
  expect((await eve.put('/api/threads/read', {})).body.threads).toEqual([])
  expect((await listed(bob, parent))?.latestReplies).toHaveLength(2)
})

test('names are as current as the page, even if another node has just changed them', async () => {
  const parent = await ada.say(await newChannel(), 'who is it?')
  await reply(bob, parent, 'me')
  const author = async () => (await listed(ada, parent))?.latestReplies[0]?.user.name
  const names = [await author()]
  for (const name of ['Robert', 'Bob']) {
    await parley.app.db.transaction().execute(async (tx) => {
      await tx.updateTable('users').set({ name }).where('id', '=', bob.id).execute()
      await tx
        .updateTable('workspace')
        .set((row) => ({ peopleVersion: row('peopleVersion', '+', 1) }))
        .execute()
    })
    names.push(await author())
  }
  expect(names).toEqual(['Bob', 'Robert', 'Bob'])
})

test('all threads can be marked as read, and unread ones listed; outsiders see none', async () => {
  const channelId = await newChannel()
  const first = await ada.say(channelId, 'first')
  const second = await ada.say(channelId, 'second')
  await ada.put('/api/threads/read', {})
  await reply(bob, first, 'new')
  await reply(bob, second, 'new too')
  const unread = async () => (await list(ada, '&unread=true')).threads.map(({ parent }) => parent.content)
  expect(await unread()).toEqual(['second', 'first'])
  expect((await eve.put('/api/threads/read', {})).body.threads).toEqual([])
  const { body } = await ada.put('/api/threads/read', {})
  const ids = [first.id, second.id].toSorted()
  expect(body.threads.map(({ threadId }: FollowedThread) => threadId).toSorted()).toEqual(ids)
  expect(body.threads[0]).toMatchObject({ before: 0, lastReadSeq: 1, unread: 0 })
  expect(await unread()).toEqual([])
  // Channels stay unchanged.
  await bob.say(channelId, 'unread')
  await ada.put('/api/threads/read', {})
  expect((await ada.get(`/api/channels/${channelId}`)).body.unread).toBe(1)
  const threads = body.threads.map(({ threadId, before, lastReadSeq, readVersion }: FollowedThread & Moved) => ({
    threadId,
    before,
    lastReadSeq,
    readVersion,
  }))
  await ada.put('/api/channels/unread', { channels: [], threads })
  expect(await unread()).toEqual(['second', 'first'])
})

interface Moved {
  before: number
}

test('the cursor visits every thread once, even if replies reorder some in between', async () => {
  const dan = await parley.person('dan')
  const channelId = await newChannel()
  await ada.post(`/api/channels/${channelId}/invite`, { userId: dan.id })
  const parents: Message[] = []
  for (let n = 0; n < 12; n++) {
    const parent = await dan.say(channelId, `question ${n}`)
    const first = await reply(bob, parent, 'an answer')
    // Threads without replies come last.
    if (n < 2) await bob.delete(`/api/messages/${first.id}`)
    parents.push(parent)
  }
  const seen: string[] = []
  let cursor = ''
  for (let pages = 0; pages < 10; pages++) {
    const { threads, pagination } = await list(dan, `&limit=5${cursor && `&cursor=${cursor}`}`)
    seen.push(...contents(threads.map(({ parent }) => parent)))
    if (seen.length === 5) await reply(bob, parents[11] as Message, 'again')
    expect(pagination.hasMore).toBe(pagination.nextCursor !== null)
    if (!pagination.nextCursor) break
    cursor = pagination.nextCursor
  }
  expect(seen).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((n) => `question ${n}`))
  const days = ['2026-99-99', '2026-02-30', '0000-01-01'].map((day) => `${day}T00:00:00.000Z_${parents[0]?.id}`)
  for (const bad of ['x', '_x', "2026-01-01T00:00:00.000Z_'", ...days])
    expect([bad, (await dan.get(`/api/threads?cursor=${encodeURIComponent(bad)}`)).status]).toEqual([bad, 400])
})

test('a page of long texts ends early and returns where the next one begins', async () => {
  const fay = await parley.person('fay')
  const channelId = await newChannel()
  await ada.post(`/api/channels/${channelId}/invite`, { userId: fay.id })
  for (let n = 0; n < 20; n++) {
    const parent = await fay.say(channelId, `${n} ${'語'.repeat(9990)}`)
    await reply(fay, parent, '語'.repeat(9990))
  }
  const seen: string[] = []
  let cursor = ''
  do {
    const response = await fay.get(`/api/threads?latestReplies=2&limit=100${cursor && `&cursor=${cursor}`}`)
    expect(Buffer.byteLength(JSON.stringify(response.body))).toBeLessThan(1.1 * bounds.threadPageBytes)
    const { threads, pagination } = response.body as Page
    expect(threads.length).toBeLessThan(6)
    seen.push(...threads.map(({ parent }) => parent.content.slice(0, 2).trim()))
    cursor = pagination.nextCursor ?? ''
  } while (cursor)
  expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => String(19 - n)))
  expect((await fay.get('/api/threads?limit=100')).body.threads).toHaveLength(20)
})
