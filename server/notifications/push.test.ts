import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { quoteOf } from '#contract/quotes'
import { startPushing } from '../test/support/push-fixture.ts'

const {
  ada,
  carol,
  channelWith,
  devicesOf,
  directWith,
  outcomesOf,
  parley,
  passTime,
  phoneOf,
  receivedAt,
  reply,
  service,
  settled,
  arrived,
  textsAt,
  until,
  waitingFor,
  withPhone,
} = await startPushing()
const { db } = parley.app

test('a person who is not there is notified by the rule, in their language, with the reason', async () => {
  const bob = await withPhone()
  await bob.patch('/api/users/me', { language: 'de' })
  const channel = await channelWith(bob, carol)
  const direct = await directWith(bob)
  const group = await directWith(bob, carol)
  const { id: threadId } = await ada.say(channel.id, 'nobody is meant')
  const mention = await ada.say(channel.id, `hello @${bob.username}`)
  await ada.say(direct, 'only **you**')
  await ada.say(group, 'the two of you')
  await ada.say(channel.id, '@channel all of you')
  await reply(ada, threadId, 'not followed')
  await settled(bob.phone)
  const name = ada.name
  expect(receivedAt(bob.phone)).toEqual([
    {
      to: bob.id,
      tag: mention.id,
      title: `${name} in #${channel.name}`,
      text: `hello @${bob.username}`,
      reason: 'Du wurdest erwähnt',
      path: `/channels/${channel.id}?message=${mention.id}`,
      rule: 'mention',
      message: { id: mention.id, channelId: channel.id, threadId: null, seq: mention.seq, replyTo: mention.id },
      actions: expect.objectContaining({ reply: 'Antworten', read: 'Als gelesen markieren' }),
      badge: expect.any(Number),
      language: 'de',
      direction: 'ltr',
    },
    expect.objectContaining({ title: name, text: 'only **you**' }),
    expect.objectContaining({ title: `${name} in ${name}, ${carol.name}`, text: 'the two of you' }),
    expect.objectContaining({ text: '@channel all of you' }),
  ])
  expect(receivedAt(bob.phone)[1]).not.toHaveProperty('reason')
  const urgencies = service.received.filter(({ endpoint }) => endpoint === bob.phone).map(({ urgency }) => urgency)
  expect(urgencies).toEqual(['high', 'high', 'high', 'normal'])
  const [device] = await devicesOf(bob)
  expect(device?.deliveries.map(({ outcome, rule, status }) => [outcome, rule, status])).toEqual([
    ['delivered', 'everyone', 201],
    ['delivered', 'direct', 201],
    ['delivered', 'direct', 201],
    ['delivered', 'mention', 201],
  ])
})

test('what people chose decides: levels, muted, keywords, threads, do not disturb', async () => {
  const bob = await withPhone()
  const channel = await channelWith(bob)
  const direct = await directWith(bob)
  const level = (id: string, level: string) => bob.put(`/api/channels/${id}/notification-level`, { level })
  await level(channel.id, 'everything')
  await ada.say(channel.id, 'everything here')
  expect(await settled(bob.phone)).toEqual(['everything here'])
  await level(channel.id, 'nothing')
  await ada.say(channel.id, `nothing @${bob.username}`)
  await level(direct, 'mentions')
  await ada.say(direct, 'no mention')
  await ada.say(direct, `a mention @${bob.username}`)
  await bob.patch('/api/notification-settings/keywords', { add: ['deploy'] })
  const words = await channelWith(bob)
  await ada.say(words.id, 'the deploy is over')
  await bob.patch('/api/notification-settings', { level: 'everything' })
  const { id: threadId } = await ada.say(words.id, 'by my default')
  await reply(ada, threadId, 'before I follow')
  await reply(bob, threadId, 'mine')
  await reply(ada, threadId, 'a thread of mine')
  await settled(bob.phone)
  expect(textsAt(bob.phone).slice(1)).toEqual([
    `a mention @${bob.username}`,
    'the deploy is over',
    'by my default',
    'a thread of mine',
  ])
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await bob.put('/api/users/me/availability', { availability: 'quiet', until })
  await ada.say(direct, `quiet @${bob.username}`)
  expect((await settled(bob.phone)).at(-1)).toBe('a thread of mine')
})

test('muted channels and own messages notify nobody; a reply that was also sent to the channel does so once', async () => {
  const bob = await withPhone()
  const muted = await channelWith(bob)
  await bob.put(`/api/channels/${muted.id}/mute`, {})
  await ada.say(muted.id, `muted @${bob.username}`)
  const channel = await channelWith(bob)
  await bob.put(`/api/channels/${channel.id}/notification-level`, { level: 'everything' })
  const { id: threadId } = await bob.say(channel.id, `mine @${bob.username}`)
  await reply(ada, threadId, 'in the thread', { alsoToChannel: true })
  expect(await settled(bob.phone)).toEqual(['in the thread'])
  const { id: foreignId } = await ada.say(channel.id, 'a thread of others')
  await reply(ada, foreignId, 'only seen in the channel', { alsoToChannel: true })
  expect((await settled(bob.phone)).slice(1)).toEqual(['a thread of others', 'only seen in the channel'])
})

test('nothing reaches outsiders, those who left meanwhile, ended sessions and deactivated people', async () => {
  const [bob, eve, gone] = [await withPhone(), await withPhone(), await withPhone()]
  const channel = await channelWith(bob, gone)
  service.answer(bob.phone, { status: 503 })
  await ada.say(channel.id, '@channel secret')
  expect(await arrived(gone.phone)).toEqual(['@channel secret'])
  await until(
    async () =>
      (
        await db
          .selectFrom('push_subscriptions')
          .select('failures')
          .where('userId', '=', bob.id)
          .executeTakeFirstOrThrow()
      ).failures > 0,
  )
  await ada.post(`/api/channels/${channel.id}/remove-member`, { userId: bob.id })
  service.answer(bob.phone, { status: 201 })
  expect(await settled(bob.phone, passTime)).toEqual([])
  expect(await outcomesOf(bob)).toEqual(['obsolete'])

  const direct = await directWith(gone)
  await gone.delete('/api/sessions')
  await ada.say(direct, 'after signing out')
  await settled(gone.phone)
  expect(textsAt(gone.phone)).toEqual(['@channel secret'])
  expect(textsAt(eve.phone)).toEqual([])
})

test('texts are left out for a device whose person wants that', async () => {
  const bob = await withPhone({ hidesText: true })
  const direct = await directWith(bob)
  await ada.say(direct, 'secret')
  await settled(bob.phone)
  expect(JSON.stringify(receivedAt(bob.phone))).not.toMatch(/secret|Ada/)
  expect(receivedAt(bob.phone)).toMatchObject([
    { text: 'You have a new message', path: expect.stringContaining(direct) },
  ])
  // Subscribing again keeps the choice.
  const phone = await phoneOf(bob)
  expect(await bob.patch('/api/push/subscription', { hidesText: false })).toMatchObject({ status: 204 })
  await ada.say(direct, 'shown')
  expect(await arrived(phone)).toEqual(['shown'])
})

test('long texts and names in any script fit into a notification', async () => {
  const bob = await withPhone()
  const direct = await directWith(bob)
  for (const letter of ['a', 'é', '漢', 'a\u0001', '\\', '👩‍👩‍👧', '"'])
    await ada.say(direct, letter.repeat(Math.floor(9000 / letter.length)))
  // In JSON these are twice as long.
  for (const letter of ['\\', '\n']) await ada.say(direct, `x${letter.repeat(1990)}y`)
  const texts = await settled(bob.phone)
  expect(texts).toHaveLength(9)
  for (const text of texts) expect(text).toMatch(/…$/)
})

test('reminders arrive once, unless they were done meanwhile', async () => {
  const bob = await withPhone()
  const channel = await channelWith(bob)
  const { id: messageId } = await ada.say(channel.id, 'to be remembered')
  const dueAt = new Date(Date.now() + 3_600_000).toISOString()
  const items = [
    (await bob.post('/api/later', { text: 'call Carol', dueAt })).body,
    (await bob.post('/api/later', { messageId, dueAt })).body,
  ]
  await db
    .updateTable('later_items')
    .set({ dueAt: sql<string>`clock_timestamp()` })
    .where('userId', '=', bob.id)
    .execute()
  await until(() => receivedAt(bob.phone).length === 2)
  expect(receivedAt(bob.phone)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ title: 'Reminder', text: 'call Carol', path: '/later' }),
      expect.objectContaining({ title: `Reminder: Ada in #${channel.name}`, text: 'to be remembered' }),
    ]),
  )
  expect(receivedAt(bob.phone).some(({ tag }) => tag.startsWith(`${items[0].id} 20`))).toBe(true)
})

test('a forwarded message shows its text to those who may read it', async () => {
  const [bob, eve] = [await withPhone(), await withPhone()]
  const secret = await channelWith(bob)
  const { id: messageId } = await ada.say(secret.id, 'the original')
  const content = quoteOf({ channelId: secret.id, messageId }, 'Quoted message')
  await ada.say(await directWith(bob), content)
  await ada.say(await directWith(eve), content)
  expect(await settled(bob.phone)).toEqual(['the original'])
  expect(await settled(eve.phone)).toEqual(['Quoted message'])
})

test('an edit before the notification is sent changes why it notifies, or that it does', async () => {
  const bob = await withPhone()
  const channel = await channelWith(bob)
  service.answer(bob.phone, { status: 503 })
  const first = await ada.say(channel.id, `one @${bob.username}`)
  const second = await ada.say(channel.id, `two @${bob.username}`)
  await until(async () => (await waitingFor(bob)).length === 2 && (await waitingFor(bob))[0]?.failures === 1)
  await ada.put(`/api/messages/${first.id}`, { content: 'one @channel' })
  await ada.put(`/api/messages/${second.id}`, { content: 'two for nobody' })
  service.answer(bob.phone, { status: 201 })
  await settled(bob.phone, passTime)
  expect(receivedAt(bob.phone)).toMatchObject([{ text: 'one @channel', reason: 'Everyone was mentioned' }])
})

test('a notification closes the earlier ones that are read elsewhere or deleted', async () => {
  const bob = await withPhone()
  const direct = await directWith(bob)
  const channel = await channelWith(bob)
  const read = await ada.say(direct, 'read elsewhere')
  const deleted = await ada.say(channel.id, `deleted @${bob.username}`)
  await ada.say(channel.id, `stays @${bob.username}`)
  await settled(bob.phone)
  await bob.put(`/api/channels/${direct}/read`, { seq: read.seq })
  await ada.delete(`/api/messages/${deleted.id}`)
  await ada.say(direct, 'next')
  await settled(bob.phone)
  const [, , third, last] = receivedAt(bob.phone)
  expect(third).not.toHaveProperty('closes')
  expect(last).toMatchObject({ text: 'next', closes: [deleted.id, read.id] })
})
