import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import type { Changes } from '#contract/changes'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import { type Person, startParley } from '../../test/support/parley.ts'

/** The status if a message was not stored in time; it may be stored anyway. */
const BUSY = 503

const parley = await startParley()
const { ada, bob, cyd, dan, eve } = await parley.people('ada', 'bob', 'cyd', 'dan', 'eve')

let made = 0
/** A channel of Ada's with Bob, Cyd and Dan, but not Eve, and a message of Ada's to reply to. */
async function newThread({ isPrivate = true } = {}): Promise<Message> {
  const members = [bob.id, cyd.id, dan.id]
  const { body } = await ada.post('/api/channels', { name: `threads-${made++}`, isPrivate, members })
  const parent = await ada.say(body.id, 'what do you think?')
  expect((await eve.get(`/api/threads/${parent.id}/messages`)).status).toBe(isPrivate ? 404 : 200)
  return parent
}

const send = (person: Person, { id }: { id: string }, content: string, more = {}) =>
  person.post('/api/threads/messages', { parentMessageId: id, content, ...more })
/** Replies; like the browser, repeats the same key while a busy server refuses it. */
const reply = async (person: Person, parent: Message, content: string): Promise<Message> => {
  const post = (clientId: string) => send(person, parent, content, { clientId })
  const key = uuid()
  let answer = await post(key)
  while (answer.status === BUSY) answer = await post(key)
  expect([200, 201]).toContain(answer.status)
  return answer.body
}

const thread = async (person: Person, { id }: Message, query = ''): Promise<Message[]> =>
  (await person.get(`/api/threads/${id}/messages${query}`)).body
/** The parent as returned in the channel's page. */
const parentOf = async ({ id, channelId }: Message) =>
  (await ada.get(`/api/messages/channel/${channelId}`)).body.find((message: Message) => message.id === id) as Message
const user = ({ id, username, name }: Person) => ({ id, username, name })
const facts = ({ replyCount, lastReplyAt, lastRepliers }: Message) => ({ replyCount, lastReplyAt, lastRepliers })

test('a reply gets its number in the thread through either endpoint, and updates its parent', async () => {
  const parent = await newThread()
  expect(facts(parent)).toEqual({ replyCount: 0, lastReplyAt: null, lastRepliers: [] })
  const first = await reply(bob, parent, '  good  ')
  expect(first).toMatchObject({
    content: 'good',
    threadId: parent.id,
    channelId: parent.channelId,
    seq: 1,
    user: user(bob),
  })
  expect(first.rev).toBe(parent.rev + 1)
  const { status, body: second } = await cyd.post('/api/messages', {
    channelId: parent.channelId,
    threadId: parent.id,
    content: 'hm',
  })
  expect([status, second.seq, second.rev, second.threadId]).toEqual([201, 2, parent.rev + 2, parent.id])
  expect(await parentOf(parent)).toMatchObject({
    replyCount: 2,
    lastReplyAt: second.createdAt,
    lastRepliers: [user(cyd), user(bob)],
    rev: second.rev,
    editedAt: null,
  })
  expect(await thread(dan, parent)).toEqual([await parentOf(parent), first, second])
})

test('a reply is published once, with the changes to its parent', async () => {
  const parent = await newThread()
  const [listener, outsider] = [await cyd.listen(), await eve.listen()]
  const first = await reply(bob, parent, 'one')
  const { id, replyCount, lastReplyAt, lastRepliers, updatedAt } = await parentOf(parent)
  expect(await listener.waitFor('thread:message_created', (message) => message.id === first.id)).toEqual({
    ...first,
    parent: { id, replyCount, lastReplyAt, lastRepliers, updatedAt },
  })
  await ada.say(parent.channelId, 'after it')
  await listener.waitFor('message:created', ({ content }) => content === 'after it')
  expect(listener.events.filter(({ event }) => event === 'thread:message_created')).toHaveLength(1)
  expect(listener.all('message:created').map((message) => message.id)).not.toContain(first.id)
  const changes: Changes = (await bob.get(`/api/channels/${parent.channelId}/changes?after=${parent.rev}`)).body
  expect(changes).toMatchObject({ rev: first.rev + 1, messages: [{ rev: first.rev }, { rev: first.rev }, {}] })
  expect(JSON.stringify(outsider.events)).not.toContain(parent.channelId)
})

test('a reply is not among the channel’s messages and not unread there', async () => {
  const parent = await newThread()
  await reply(cyd, parent, 'hello @bob and @channel')
  expect((await bob.get(`/api/messages/channel/${parent.channelId}`)).body).toEqual([await parentOf(parent)])
  const { body: channel } = await bob.get(`/api/channels/${parent.channelId}`)
  expect(channel).toMatchObject({ seq: 1, unread: 1, mentions: 0, lastMessageAt: parent.createdAt })
  expect((await ada.say(parent.channelId, 'next')).seq).toBe(2)
})

test('the last three distinct authors of replies are shown, latest first', async () => {
  const parent = await newThread()
  const replies = [await reply(bob, parent, '1'), await reply(cyd, parent, '2'), await reply(bob, parent, '3')]
  const face = (person: Person) => ({ ...user(person), color: expect.any(Number) })
  expect((await parentOf(parent)).lastRepliers).toEqual([face(bob), face(cyd)])
  replies.push(await reply(dan, parent, '4'), await reply(ada, parent, '5'))
  expect((await parentOf(parent)).lastRepliers).toEqual([face(ada), face(dan), face(bob)])
  await ada.delete(`/api/messages/${replies[4]?.id}`)
  expect(facts(await parentOf(parent))).toEqual({
    replyCount: 4,
    lastReplyAt: replies[3]?.createdAt,
    lastRepliers: [face(dan), face(bob), face(cyd)],
  })
})

test('a thread is paginated, with its parent always first', async () => {
  const parent = await newThread()
  for (let n = 1; n <= 5; n++) await reply(bob, parent, `reply ${n}`)
  const seqs = async (query: string) => (await thread(cyd, parent, query)).slice(1).map(({ seq }) => seq)
  expect(await seqs('')).toEqual([1, 2, 3, 4, 5])
  expect(await seqs('?limit=2')).toEqual([4, 5])
  expect(await seqs('?limit=2&before=4')).toEqual([2, 3])
  expect(await seqs('?limit=2&before=2')).toEqual([1])
  expect(await seqs('?before=1')).toEqual([])
  for (const query of ['', '?limit=1&before=3', '?before=1'])
    expect((await thread(cyd, parent, query))[0]).toMatchObject({ id: parent.id, threadId: null, replyCount: 5 })
  const page = await cyd.get(`/api/threads/${parent.id}/messages`)
  expect(Number(page.headers['parley-rev'])).toBe(parent.rev + 5)
  for (const query of ['limit=0', 'limit=101', 'before=0', 'before=x'])
    expect((await cyd.get(`/api/threads/${parent.id}/messages?${query}`)).status).toBe(400)
})

test.each(['/api/messages', '/api/threads/messages'])('a reply is edited by its author by PUT %s', async (path) => {
  const parent = await newThread()
  const listener = await ada.listen()
  const sent = await reply(bob, parent, 'draft')
  const before = await parentOf(parent)
  const edited = await bob.put(`${path}/${sent.id}`, { content: 'done' })
  expect(edited).toMatchObject({
    status: 200,
    body: { content: 'done', threadId: parent.id, seq: 1, rev: sent.rev + 1, editedAt: expect.any(String) },
  })
  expect(await listener.waitFor('message:updated', (message) => message.id === sent.id)).toEqual(edited.body)
  expect(await parentOf(parent)).toEqual(before)
  expect(await cyd.put(`${path}/${sent.id}`, { content: 'x' })).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await eve.put(`${path}/${sent.id}`, { content: 'x' })).toMatchObject({ status: 404, code: 'not_found' })
})

test('a deleted reply leaves a tombstone, and its parent no longer counts it', async () => {
  const parent = await newThread()
  const listener = await cyd.listen()
  const [first, second] = [await reply(bob, parent, 'one'), await reply(cyd, parent, 'two')]
  const before = facts(await parentOf(parent))
  const third = await reply(dan, parent, 'three')
  expect((await dan.delete(`/api/messages/${third.id}`)).status).toBe(204)
  const { parent: updatedParent, ...tombstone } = await listener.waitFor(
    'message:deleted',
    (message) => message.id === third.id,
  )
  expect(tombstone).toMatchObject({ content: '', seq: 3, threadId: parent.id, rev: third.rev + 1 })
  expect(updatedParent).toMatchObject({ id: parent.id, ...before })
  expect(await parentOf(parent)).toMatchObject({ ...before, rev: tombstone.rev })
  expect(await thread(bob, parent)).toEqual([await parentOf(parent), first, second, tombstone])
  for (const { id } of [first, second]) await ada.delete(`/api/messages/${id}`)
  expect(facts(await parentOf(parent))).toEqual({ replyCount: 0, lastReplyAt: null, lastRepliers: [] })
  expect((await reply(bob, parent, 'four')).seq).toBe(4)
  expect((await parentOf(parent)).replyCount).toBe(1)
})

test('a thread remains when its parent is deleted; a deleted message without replies accepts none', async () => {
  const parent = await newThread()
  const sent = await reply(bob, parent, 'still here')
  await ada.delete(`/api/messages/${parent.id}`)
  expect(await thread(cyd, parent)).toMatchObject([{ content: '', deletedAt: expect.any(String), replyCount: 1 }, sent])
  expect((await reply(cyd, parent, 'and on')).seq).toBe(2)
  const alone = await newThread()
  await ada.delete(`/api/messages/${alone.id}`)
  expect(await send(bob, alone, 'too late')).toMatchObject({ status: 409, code: 'deleted' })
  expect(await thread(bob, alone)).toMatchObject([{ replyCount: 0 }])
})

test('only a top-level message of the channel has a thread', async () => {
  const [parent, other] = [await newThread(), await newThread()]
  const sent = await reply(bob, parent, 'one')
  const at = { channelId: parent.channelId, content: 'x' }
  expect(await send(bob, sent, 'x')).toMatchObject({ status: 400, code: 'not_a_parent' })
  expect(await bob.post('/api/messages', { ...at, threadId: sent.id })).toMatchObject({ code: 'not_a_parent' })
  expect(await bob.post('/api/messages', { ...at, threadId: other.id })).toMatchObject({ status: 400, code: 'invalid' })
  for (const id of [uuid(), parent.channelId]) {
    expect(await bob.post('/api/messages', { ...at, threadId: id })).toMatchObject({ status: 404, code: 'not_found' })
    expect(await send(bob, { id }, 'x')).toMatchObject({ status: 404, code: 'not_found' })
    expect(await bob.get(`/api/threads/${id}/messages`)).toMatchObject({ status: 404, code: 'not_found' })
  }
  expect(await bob.get(`/api/threads/${sent.id}/messages`)).toMatchObject({ status: 404, code: 'not_found' })
  for (const body of [{ parentMessageId: 'x', content: 'x' }, { parentMessageId: parent.id }, { content: 'x' }])
    expect(await bob.post('/api/threads/messages', body)).toMatchObject({ status: 400, code: 'invalid' })
  for (const content of ['', ' \n', 'x'.repeat(limits.messageContent + 1), 'a\0b'])
    expect(await send(bob, parent, content)).toMatchObject({ status: 400, code: 'invalid' })
})

test('an outsider cannot read, reply to or follow a private thread, but can read a public one', async () => {
  const [hidden, open] = [await newThread(), await newThread({ isPrivate: false })]
  for (const { id, channelId } of [hidden, open]) {
    const [status, code] = id === hidden.id ? [404, 'not_found'] : [403, 'not_a_member']
    expect(await send(eve, { id }, 'x')).toMatchObject({ status, code })
    expect(await eve.post('/api/messages', { channelId, threadId: id, content: 'x' })).toMatchObject({ status, code })
    expect(await eve.put(`/api/threads/${id}/follow`, {})).toMatchObject({ status, code })
    expect(await eve.delete(`/api/threads/${id}/follow`)).toMatchObject({ status, code })
    expect(await eve.put(`/api/threads/${id}/read`, { seq: 1 })).toMatchObject({ status, code })
  }
  expect(await thread(eve, open)).toEqual([open])
})

test('a repeated key returns the same reply, published and counted once, even concurrently', async () => {
  const parent = await newThread()
  const listener = await cyd.listen()
  const key = { clientId: `reply-${parent.id}` }
  const answers = await Promise.all([
    ...[1, 2, 3].map(() => send(bob, parent, 'once', key)),
    bob.post('/api/messages', { channelId: parent.channelId, threadId: parent.id, content: 'once', ...key }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect((await parentOf(parent)).replyCount).toBe(1)
  await reply(bob, parent, 'after')
  await listener.waitFor('thread:message_created', ({ content }) => content === 'after')
  const events = listener.all('thread:message_created').filter(({ clientId }) => clientId === key.clientId)
  expect(events).toHaveLength(1)
  await bob.delete(`/api/messages/${events[0]?.id}`)
  expect(await send(bob, parent, 'once', key)).toMatchObject({ status: 200, body: { content: '', seq: 1 } })
  expect(await send(cyd, parent, 'mine', key)).toMatchObject({ status: 201, body: { clientId: key.clientId } })
})

test('a key already used in another thread or in the channel is refused', async () => {
  const [parent, other] = [await newThread(), await newThread()]
  const reused = { status: 409, code: 'client_id_reused' }
  await send(bob, parent, 'x', { clientId: 'in-a-thread' })
  expect(await send(bob, other, 'x', { clientId: 'in-a-thread' })).toMatchObject(reused)
  const top = { channelId: parent.channelId, content: 'x' }
  expect(await bob.post('/api/messages', { ...top, clientId: 'in-a-thread' })).toMatchObject(reused)
  await bob.post('/api/messages', { ...top, clientId: 'in-a-channel' })
  expect(await send(bob, parent, 'x', { clientId: 'in-a-channel' })).toMatchObject(reused)
  for (let n = 0; n < 10; n++) {
    const clientId = `raced-${n}`
    const raced = [send(bob, parent, 'x', { clientId }), send(bob, other, 'x', { clientId })]
    if (n % 2) raced.push(bob.post('/api/messages', { channelId: other.channelId, content: 'x', clientId }))
    const answers = (await Promise.all(raced)).map(({ status }) => status).toSorted()
    expect(answers).toEqual([201, ...raced.slice(1).map(() => 409)])
  }
})

test('fifty simultaneous replies get gapless numbers, and the parent counts all', async () => {
  const parent = await newThread()
  const people = [ada, bob, cyd, dan]
  const all = Array.from({ length: 50 }, (_, n) => reply(people[n % 4] as Person, parent, `n${n}`))
  const numbers = Array.from({ length: 50 }, (_, n) => n + 1)
  const bySeq = (await Promise.all(all)).toSorted((a, b) => a.seq - b.seq)
  expect(bySeq.map(({ seq }) => seq)).toEqual(numbers)
  expect(bySeq.map(({ rev }) => rev)).toEqual(numbers.map((n) => parent.rev + n))
  expect(bySeq.map((reply) => reply.createdAt)).toEqual(bySeq.map((reply) => reply.createdAt).toSorted())
  expect(await parentOf(parent)).toMatchObject({ replyCount: 50, lastReplyAt: bySeq.at(-1)?.createdAt })
})

test('a page around a reply is a page around its parent', async () => {
  const { channelId } = await newThread()
  const sent: Message[] = []
  for (let n = 2; n <= 9; n++) sent.push(await ada.say(channelId, `${n}`))
  const middle = sent[3] as Message
  const inside = await reply(bob, middle, 'here')
  const around = async (id: string) => (await bob.get(`/api/messages/channel/${channelId}?limit=4&around=${id}`)).body
  expect((await around(inside.id)).map(({ seq }: Message) => seq)).toEqual([4, 5, 6, 7])
  expect(await around(inside.id)).toEqual(await around(middle.id))
  expect((await eve.get(`/api/messages/channel/${channelId}?around=${inside.id}`)).status).toBe(404)
})

test('my thread list and the parent have the same number of replies, even during writes', async () => {
  const parent = await newThread()
  await reply(bob, parent, 'count them')
  const writing = Promise.all(Array.from({ length: 60 }, (_, i) => reply(i % 2 ? ada : bob, parent, `reply ${i}`)))
  let isDone = false
  const done = () => {
    isDone = true
  }
  void writing.then(done, done)
  const counts: [number, number][] = []
  while (!isDone) {
    const { body } = await bob.get('/api/threads')
    const listed = body.threads.find((thread: { threadId: string }) => thread.threadId === parent.id)
    counts.push([listed.lastReadSeq + listed.unread, listed.parent.replyCount])
  }
  expect(counts.filter(([counted, shown]) => counted !== shown)).toEqual([])
  await writing
})
