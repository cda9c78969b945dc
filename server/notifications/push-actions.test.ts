import { expect, test } from 'vitest'
import { mailLanguages } from '../mail/mail-texts.ts'
import { MAX_PAYLOAD_BYTES } from '../push/send-push.ts'
import { startPushing } from '../test/support/push-fixture.ts'
import type { PushFacts } from './read-push.ts'
import { writePush } from './write-push.ts'

const { ada, channelWith, directWith, parley, receivedAt, reply, settled, withPhone } = await startPushing()
const { db } = parley.app

/** Where replies to what a phone received go, and its badges. */
const replyTargets = (phone: string) => receivedAt(phone).map(({ message }) => message.replyTo)
const badges = (phone: string) => receivedAt(phone).map(({ badge }) => badge)

test('a reply goes to the thread of a message in a channel, and to a direct message itself', async () => {
  const bob = await withPhone()
  const channel = await channelWith(bob)
  const direct = await directWith(bob)
  const mention = await ada.say(channel.id, `@${bob.username} top level`)
  await settled(bob.phone)
  const question = await bob.say(channel.id, 'mine')
  await reply(ada, question.id, 'an answer')
  await settled(bob.phone)
  await ada.say(direct, 'direct')
  await settled(bob.phone)
  const word = await bob.say(direct, 'hers')
  await reply(ada, word.id, 'in the direct thread')
  await settled(bob.phone)
  expect(replyTargets(bob.phone)).toEqual([mention.id, question.id, null, word.id])
})

test('no reply is offered where it would be refused, or to hidden texts', async () => {
  const bob = await withPhone()
  const carl = await withPhone({ hidesText: true })
  const channel = await channelWith(bob, carl)
  await ada.patch(`/api/channels/${channel.id}`, { posting: 'admins', areRepliesOpen: true })
  await ada.say(channel.id, '@channel replies are open')
  await Promise.all([settled(bob.phone), settled(carl.phone)])
  await ada.patch(`/api/channels/${channel.id}`, { areRepliesOpen: false })
  await ada.say(channel.id, '@channel now they are not')
  await Promise.all([settled(bob.phone), settled(carl.phone)])
  expect(replyTargets(bob.phone)).toEqual([expect.any(String), undefined])
  expect(replyTargets(carl.phone)).toEqual([undefined, undefined])
  expect(receivedAt(carl.phone)[0]).toMatchObject({ text: 'You have a new message', actions: { read: 'Mark as read' } })
})

test('the badge counts mentions in followed threads, and due reminders', async () => {
  const bob = await withPhone()
  const channel = await channelWith(bob)
  const count = async () => (await bob.get('/api/channels/unread')).body.notifications
  const { id: threadId } = await bob.say(channel.id, 'a thread of mine')
  await reply(ada, threadId, 'no mention')
  expect(await count()).toBe(0)
  const { seq } = await reply(ada, threadId, `a mention @${bob.username}`)
  await settled(bob.phone)
  expect(badges(bob.phone).at(-1)).toBe(1)
  const soon = new Date(Date.now() + 60_000).toISOString()
  const { body: item } = await bob.post('/api/later', { text: 'call Ada', dueAt: soon })
  expect(await count()).toBe(1)
  await db.updateTable('later_items').set({ remindedAt: soon }).where('id', '=', item.id).execute()
  expect(await count()).toBe(2)
  await bob.put(`/api/threads/${threadId}/read`, { seq })
  expect(await count()).toBe(1)
  await bob.patch(`/api/later/${item.id}`, { isDone: true })
  expect(await count()).toBe(0)
})

test('the badge counts direct messages and mentions, as the page does; nobody else’s, and nothing that was read', async () => {
  const bob = await withPhone()
  const dora = await withPhone()
  const channel = await channelWith(bob, dora)
  const direct = await directWith(bob)
  await ada.say(channel.id, 'no mention')
  await ada.say(direct, 'one')
  await ada.say(direct, 'two')
  await ada.say(channel.id, `@${bob.username} three`)
  await settled(bob.phone)
  expect(badges(bob.phone).at(-1)).toBe(3)
  expect((await bob.get('/api/channels/unread')).body).toEqual({ notifications: 3 })
  expect((await dora.get('/api/channels/unread')).body).toEqual({ notifications: 0 })
  await bob.put(`/api/channels/${direct}/mute`, {})
  expect((await bob.get('/api/channels/unread')).body).toEqual({ notifications: 1 })
  await bob.delete(`/api/channels/${direct}/mute`)
  await bob.put(`/api/channels/${direct}/read`, { seq: 1 })
  expect((await bob.get('/api/channels/unread')).body).toEqual({ notifications: 2 })
  await ada.post(`/api/channels/${channel.id}/remove-member`, { userId: bob.id })
  expect((await bob.get('/api/channels/unread')).body).toEqual({ notifications: 1 })
})

test.each(mailLanguages)('the longest notification fits into a push (%s)', (language) => {
  const id = '019ad9b7-f280-7000-8000-000000000000'
  const long = '字"\n'.repeat(2000)
  const message = { id, channelId: id, threadId: id, seq: 2 ** 40, authorId: id, author: long, content: long, files: 0 }
  const place = { kind: 'private', channelName: long, memberCount: 9, others: [long, long, long], mayReply: true }
  const facts: Partial<PushFacts> = {
    id,
    userId: id,
    language,
    rule: 'everyone',
    messageId: id,
    itemId: null,
    item: null,
  }
  const content = writePush({ ...(facts as PushFacts), message: { ...message, ...place } })
  const sent = { ...content, closes: Array.from({ length: 20 }, () => id), badge: 100_000 }
  expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThan(MAX_PAYLOAD_BYTES)
})
