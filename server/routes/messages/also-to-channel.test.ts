import { expect, test } from 'vitest'
import type { Message } from '#contract/messages'
import { placeIn } from '#contract/quotes'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')

let made = 0
/** A message of Ada's in a channel with Bob, but not Eve. */
async function newParent(): Promise<Message> {
  const { body } = await ada.post('/api/channels', { name: `also-${made++}`, isPrivate: true, members: [bob.id] })
  return ada.say(body.id, 'the plan')
}
const reply = (person: Person, parent: Message, more: object = {}) =>
  person.post('/api/threads/messages', { parentMessageId: parent.id, content: 'a reply', alsoToChannel: true, ...more })
/** Only its owner may post, and everybody reply. */
const restrict = ({ channelId }: Message) =>
  ada.patch(`/api/channels/${channelId}`, { posting: 'admins', areRepliesOpen: true })
const page = async ({ channelId }: Message): Promise<Message[]> =>
  (await ada.get(`/api/messages/channel/${channelId}`)).body
const replies = async ({ id }: Message): Promise<Message[]> =>
  (await ada.get(`/api/threads/${id}/messages`)).body.slice(1)

test('a reply is also sent to the channel, as a quote that the channel shows as it is', async () => {
  const parent = await newParent()
  const [listener, outsider] = [await bob.listen(), await eve.listen()]
  const { status, body: sent } = await reply(bob, parent, { clientId: 'also-1' })
  expect(status).toBe(201)
  const [first, quote] = await page(parent)
  expect(first).toMatchObject({ id: parent.id, replyCount: 1 })
  expect(quote).toMatchObject({ threadId: null, user: { id: bob.id }, seq: 2, rev: sent.rev + 1, clientId: null })
  expect(placeIn(quote?.content ?? '')).toEqual({ channelId: parent.channelId, messageId: sent.id })

  await listener.waitFor('message:created')
  const about = listener.events.filter(({ event }) => /^(thread:)?message/.test(event))
  expect(about.map(({ event }) => event)).toEqual(['thread:message_created', 'message:created'])
  expect(outsider.events.filter(({ event }) => /message/.test(event))).toEqual([])
})

test('it leaves unread for its author what came before it in the channel', async () => {
  const parent = await newParent()
  const { channelId } = parent
  await ada.say(channelId, `@${bob.username} please look`)
  const before = (await bob.get(`/api/channels/${channelId}`)).body
  const author = await bob.listen()
  await reply(bob, parent)
  const after = (await bob.get(`/api/channels/${channelId}`)).body
  expect(after).toMatchObject({ lastReadSeq: before.lastReadSeq, mentions: 1 })
  await author.waitFor('message:created')
  const about = author.events.filter(({ event }) => event === 'channel:read' || event === 'message:created')
  expect(about.map(({ event }) => event)).toEqual(['channel:read', 'message:created'])

  await bob.put(`/api/channels/${channelId}/read`, { seq: after.seq })
  await reply(bob, parent)
  expect((await bob.get(`/api/channels/${channelId}`)).body.unread).toBe(0)
})

test('what mentions everyone tells the channel, and a name only its person, once', async () => {
  const parent = await newParent()
  await reply(ada, parent, { content: '@channel, look' })
  await reply(ada, parent, { content: `@${bob.username}, look` })
  const [, toAll, toOne] = await page(parent)
  expect(toAll).toMatchObject({ broadcast: 'channel' })
  expect(toOne).toMatchObject({ broadcast: null, mentions: [] })
})

test('a repeat sends nothing again', async () => {
  const parent = await newParent()
  const { body: sent } = await reply(bob, parent, { clientId: 'also-2' })
  const again = await reply(bob, parent, { clientId: 'also-2' })
  expect(again).toMatchObject({ status: 200, body: { id: sent.id } })
  expect(await page(parent)).toHaveLength(2)
})

test('who may reply but not post sends neither', async () => {
  const parent = await newParent()
  await restrict(parent)
  const refused = await reply(bob, parent)
  expect(refused.status).toBe(403)
  expect(await page(parent)).toHaveLength(1)
  expect(await replies(parent)).toEqual([])
  expect((await reply(bob, parent, { alsoToChannel: false })).status).toBe(201)
})

test('the other call for replies does the same, and a message of a channel ignores it', async () => {
  const parent = await newParent()
  const { channelId } = parent
  await bob.post('/api/messages', { channelId, threadId: parent.id, content: 'a reply', alsoToChannel: true })
  await bob.post('/api/messages', { channelId, content: 'no reply', alsoToChannel: true })
  expect(await page(parent)).toHaveLength(3)
  expect(await replies(parent)).toHaveLength(1)
})

test('a scheduled reply is also sent to the channel, and its author has still to read what came before', async () => {
  const parent = await newParent()
  const { channelId } = parent
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  const place = { channelId, threadId: parent.id, content: 'later' }
  const { body: scheduled } = await bob.post('/api/scheduled-messages', { ...place, alsoToChannel: true, sendAt })
  expect(scheduled).toMatchObject({ alsoToChannel: true })
  expect((await bob.post(`/api/scheduled-messages/${scheduled.id}/send`, {})).status).toBe(201)
  const [, quote] = await page(parent)
  expect(placeIn(quote?.content ?? '')?.messageId).toBe((await replies(parent))[0]?.id)
  const { body: channel } = await bob.get(`/api/channels/${channelId}`)
  expect(channel.unread).toBe(2)

  await restrict(parent)
  expect((await bob.post('/api/scheduled-messages', { ...place, alsoToChannel: true, sendAt })).status).toBe(403)
  expect((await bob.post('/api/scheduled-messages', { ...place, sendAt })).status).toBe(201)
})
