import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Message } from '#contract/messages'
import type { ScheduledMessage } from '#contract/scheduled-messages'
import { type Person, serve, startParley, untilPeers } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'
import { sendDue } from './send-due.ts'

/** The tests trigger the checks. */
const BOUNDS = { scheduledPollMs: 2 ** 31 - 1 }
const parley = await startParley({}, undefined, BOUNDS)
const other = await serve(parley.databaseUrl, {}, undefined, BOUNDS)
const { app } = parley
const { db } = app
const { ada, bob } = await parley.people('ada', 'bob')

beforeAll(() => untilPeers(parley, other))

let made = 0
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const newPerson = () => parley.person(`sched-${made++}`)
/** A private channel of Ada's. */
async function newChannel(...members: Person[]): Promise<string> {
  const ids = members.map(({ id }) => id)
  return (await ada.post('/api/channels', { name: `sched-${made++}`, isPrivate: true, members: ids })).body.id
}
const schedule = async (person: Person, channelId: string, content: string, more = {}): Promise<ScheduledMessage> => {
  const body = { channelId, content, sendAt: inHours(1), ...more }
  const { status, body: item } = await person.post('/api/scheduled-messages', body)
  expect(status, JSON.stringify(item)).toBe(201)
  return item
}
/** Lets the time of messages come, in this order. */
async function pass(items: ScheduledMessage[], secondsAgo = 60) {
  for (const [nth, { id }] of items.entries()) {
    const at = sql<string>`now() - make_interval(secs => ${secondsAgo - nth})`
    await db.updateTable('scheduled_messages').set({ sendAt: at, nextTryAt: at }).where('id', '=', id).execute()
  }
}
const send = (node = app) => sendDue(node, node)
const listed = async (person: Person): Promise<ScheduledMessage[]> => (await person.get('/api/scheduled-messages')).body
const messagesIn = async (channelId: string): Promise<Message[]> =>
  (await ada.get(`/api/messages/channel/${channelId}`)).body
const textsIn = async (channelId: string) => (await messagesIn(channelId)).map(({ content }) => content)

test('messages are sent once, in their order, by whichever of two nodes, and only when they are due', async () => {
  const channelId = await newChannel(bob)
  const items: ScheduledMessage[] = []
  for (let n = 0; n < 10; n++) items.push(await schedule(bob, channelId, `part ${n}`))
  const later = await schedule(bob, channelId, 'not yet')
  const [device, reader] = [await bob.listen(), await ada.listen()]
  await pass(items)
  await Promise.all([send(), send(other.app), send(), send(other.app)])
  await send()
  const texts = items.map(({ content }) => content)
  expect(await textsIn(channelId)).toEqual(texts)
  await reader.waitFor('message:created', ({ content }) => content === 'part 9')
  expect(reader.all('message:created').map(({ content }) => content)).toEqual(texts)
  expect(reader.all('scheduled:changed')).toEqual([])
  for (const { id } of items) await device.waitFor('scheduled:changed', (it) => it.id === id && !it.hasFailed)
  expect(await listed(bob)).toEqual([later])
})

test('it mentions, counts and previews like any other message, and carries its files', async () => {
  const person = await newPerson()
  const channelId = await newChannel(bob, person)
  const { body: file } = await bob.upload(channelId, 'plan.txt', 'the plan', true)
  const item = await schedule(bob, channelId, `read this, @${person.username}`, { fileIds: [file.id] })
  expect(item.files).toMatchObject([{ id: file.id, name: 'plan.txt', messageId: null }])
  await pass([item])
  const seen: string[] = []
  const note = { onMessage: (message: { content: string }) => void seen.push(message.content) }
  await sendDue(app, { assistant: note, linkPreviews: note })
  expect(seen).toEqual([item.content, item.content])
  const [message] = await messagesIn(channelId)
  expect(message).toMatchObject({ files: [{ id: file.id }], mentions: [{ userId: person.id }] })
  expect((await person.get(`/api/channels/${channelId}`)).body).toMatchObject({ unread: 1, mentions: 1 })
})

test('a reply is sent into its thread', async () => {
  const channelId = await newChannel(bob)
  const parent = await ada.say(channelId, 'what is new?')
  const item = await schedule(bob, channelId, 'nothing', { threadId: parent.id })
  const reader = await ada.listen()
  await pass([item])
  await send()
  expect(await reader.waitFor('thread:message_created')).toMatchObject({ content: 'nothing', threadId: parent.id })
  expect((await messagesIn(channelId)).map(({ replyCount }) => replyCount)).toEqual([1])
})

test('what came before it stays unread for its author, in channels and threads', async () => {
  const channelId = await newChannel(bob)
  const parent = await bob.say(channelId, 'what is new?')
  const replyTo = { threadId: parent.id }
  const items = [await schedule(bob, channelId, 'hello'), await schedule(bob, channelId, 'nothing', replyTo)]
  await ada.post('/api/threads/messages', { parentMessageId: parent.id, content: 'a reply to read' })
  await ada.say(channelId, `for you, @${bob.username}`)
  const before = (await bob.get(`/api/channels/${channelId}`)).body
  const device = await bob.listen()
  await pass(items)
  await send()
  const { lastReadSeq, readVersion } = before
  const { body: channel } = await bob.get(`/api/channels/${channelId}`)
  // The version stays, so that a device that is reading goes on.
  expect(channel).toMatchObject({ lastReadSeq, readVersion, unread: 2, mentions: 1 })
  expect(await device.waitFor('channel:read')).toMatchObject({ channelId, lastReadSeq, readVersion, unread: 2 })
  expect((await bob.get(`/api/threads/${parent.id}/cursor`)).body).toMatchObject({ lastReadSeq: 0, unread: 2 })
})

test.each(['a channel', 'a thread'])('what its author reads in %s while it is sent stays read', async (place) => {
  const channelId = await newChannel(bob)
  const parent = await bob.say(channelId, 'what is new?')
  const thread = place === 'a thread' ? { threadId: parent.id } : {}
  await bob.post('/api/threads/messages', { parentMessageId: parent.id, content: 'mine' })
  await ada.post('/api/threads/messages', { parentMessageId: parent.id, content: 'to read' })
  await ada.say(channelId, 'to read')
  const item = await schedule(bob, channelId, 'slow', thread)
  await sql`
    create or replace function sleep() returns trigger language plpgsql as $$ begin perform pg_sleep(0.2); return new; end $$`.execute(
    db,
  )
  await sql`create or replace trigger slow before insert on messages for each row when (new.content = 'slow')
    execute function sleep()`.execute(db)
  await pass([item])
  const sent = send()
  await vi.waitUntil(async () => {
    const { rows } = await sql`select from pg_stat_activity where wait_event = 'PgSleep'`.execute(db)
    return rows.length > 0
  })
  const at = place === 'a thread' ? `/api/threads/${parent.id}` : `/api/channels/${channelId}`
  expect((await bob.put(`${at}/read`, { seq: 2 })).status).toBe(200)
  await sent
  const { body: cursor } = await bob.get(place === 'a thread' ? `${at}/cursor` : at)
  expect(cursor.lastReadSeq).toBeGreaterThanOrEqual(2)
})

test('who had read everything has read their own message, too', async () => {
  const channelId = await newChannel(bob)
  const { seq } = await ada.say(channelId, 'hello')
  await bob.put(`/api/channels/${channelId}/read`, { seq })
  await pass([await schedule(bob, channelId, 'good morning')])
  await send()
  expect((await bob.get(`/api/channels/${channelId}`)).body).toMatchObject({ lastReadSeq: seq + 1, unread: 0 })
})

test.each([
  ['who left', (channelId: string, person: Person) => person.post(`/api/channels/${channelId}/leave`)],
  ['a deleted channel', (channelId: string) => ada.delete(`/api/channels/${channelId}`)],
])('of %s, the text returns with the reason', async (_, act) => {
  const person = await newPerson()
  const channelId = await newChannel(bob, person)
  const item = await schedule(person, channelId, 'good morning')
  expect((await act(channelId, person)).status).toBeLessThan(300)
  const device = await person.listen()
  await pass([item])
  await send()
  await send(other.app)
  expect(await device.waitFor('scheduled:changed')).toEqual({ id: item.id, hasFailed: true })
  expect(await listed(person)).toMatchObject([
    { id: item.id, content: 'good morning', failure: { code: 'forbidden', reason: 'scheduledNoMember' } },
  ])
  expect(await person.post(`/api/scheduled-messages/${item.id}/send`)).toMatchObject({ status: 403 })
  expect(await listed(person)).toHaveLength(1)
})

test('an archived channel refuses it; with a new time it is sent after all', async () => {
  const channelId = await newChannel(bob)
  const item = await schedule(bob, channelId, 'good morning')
  await ada.put(`/api/channels/${channelId}/archive`, {})
  await pass([item])
  await send()
  expect((await listed(bob)).find(({ id }) => id === item.id)?.failure).toEqual({
    code: 'archived',
    reason: 'archived',
  })
  await ada.delete(`/api/channels/${channelId}/archive`)
  const { body: again } = await bob.patch(`/api/scheduled-messages/${item.id}`, { sendAt: inHours(2) })
  expect(again.failure).toBeNull()
  await pass([again])
  await send()
  expect(await textsIn(channelId)).toEqual(['good morning'])
})

test('@channel is refused to those who may not use it by then', async () => {
  const channelId = await newChannel(bob)
  const item = await schedule(bob, channelId, 'wake up, @channel')
  await ada.patch(`/api/channels/${channelId}`, { broadcasting: 'admins' })
  await pass([item])
  await send()
  expect((await listed(bob)).find(({ id }) => id === item.id)?.failure).toMatchObject({
    reason: 'mayNotMentionChannel',
  })
})

test('messages of deactivated people wait, and what is a day late returns', async () => {
  const person = await newPerson()
  const channelId = await newChannel(person)
  const item = await schedule(person, channelId, 'good morning')
  const setAway = (isAway: boolean) =>
    db
      .updateTable('users')
      .set({ deactivatedAt: isAway ? sql<string>`clock_timestamp()` : null })
      .where('id', '=', person.id)
      .execute()
  await setAway(true)
  await pass([item])
  await send()
  await setAway(false)
  expect(await textsIn(channelId)).toEqual([])
  await setAway(true)
  await pass([item], 25 * 3600)
  await send()
  await setAway(false)
  expect(await textsIn(channelId)).toEqual([])
  expect(await listed(person)).toMatchObject([{ failure: { code: 'unavailable', reason: 'scheduledMissed' } }])
})

test('a failure of the server is tried again later, in order, and delays no other channel', async () => {
  const [channelId, calm] = [await newChannel(bob), await newChannel(bob)]
  const items = [await schedule(bob, channelId, 'first'), await schedule(bob, channelId, 'second')]
  const other = await schedule(bob, calm, 'not stuck')
  await pass([...items, other])
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('channels').select('id').where('id', '=', channelId).forUpdate().execute()
    await send()
  })
  // What becomes due meanwhile waits behind them.
  await pass([await schedule(bob, channelId, 'third')], 1)
  await send()
  expect(await textsIn(calm)).toEqual(['not stuck'])
  expect(await textsIn(channelId)).toEqual([])
  expect((await listed(bob)).filter((it) => it.channelId === channelId && it.failure)).toEqual([])
  await db
    .updateTable('scheduled_messages')
    .set({ nextTryAt: sql<string>`now()` })
    .where('channelId', '=', channelId)
    .execute()
  await send()
  expect(await textsIn(channelId)).toEqual(['first', 'second', 'third'])
})

test('a server that stops begins no further message', async () => {
  const channelId = await newChannel(bob)
  await pass([await schedule(bob, channelId, 'good morning')])
  await sendDue(app, app, AbortSignal.abort())
  expect(await textsIn(channelId)).toEqual([])
  await send()
  expect(await textsIn(channelId)).toEqual(['good morning'])
})

test('a reply to a message that was removed for good returns', async () => {
  const channelId = await newChannel(bob)
  const parent = await ada.say(channelId, 'what is new?')
  const item = await schedule(bob, channelId, 'nothing', { threadId: parent.id })
  await sql`delete from message_search where "messageId" = ${parent.id}`.execute(db)
  await sql`delete from messages where id = ${parent.id}`.execute(db)
  await pass([item])
  await send()
  const failure = { code: 'not_found', reason: 'messageNotFound' }
  expect((await listed(bob)).find(({ id }) => id === item.id)?.failure).toEqual(failure)
})

test('what became due while no server ran is sent by the next that starts', async () => {
  const channelId = await newChannel(bob)
  await pass([await schedule(bob, channelId, 'overnight')])
  const restarted = await serve(parley.databaseUrl, {}, undefined, { scheduledPollMs: 20 })
  const isSent = async () => (await textsIn(channelId)).length > 0
  await vi.waitUntil(isSent, { timeout: STATE_TIMEOUT_MS, interval: 20 })
  await restarted.app.close()
})
