import { beforeAll, beforeEach, expect, test } from 'vitest'
import { messagesIn } from '../../web/features/messages/sync/message-queries.ts'
import { myThreads } from '../../web/features/threads/thread-queries.ts'
import { startTalk } from './cached-browser.ts'

let talk: Awaited<ReturnType<typeof startTalk>>
beforeAll(async () => {
  talk = await startTalk()
})

let count = 0
let channelId: string
let parentId: string
let browser: Awaited<ReturnType<typeof talk.bobIn>>
/** Bob views a channel, and the thread of one of Ada's messages. */
beforeEach(async () => {
  const { ada, bob, eve } = talk
  const { body } = await ada.post('/api/channels', { name: `talk-${count++}`, members: [bob.id, eve.id] })
  channelId = body.id
  parentId = (await ada.say(channelId, 'What do you think?')).id
  browser = await talk.bobIn(channelId, parentId)
})

type Talker = typeof talk.ada
/** Acts, waits until all caches contain the result, and returns the id of the new message. */
async function sent(say: () => Promise<{ id: string }>) {
  let id = ''
  await browser.after(async () => {
    id = (await say()).id
  })
  return id
}
const reply = (by: Talker, content: string) =>
  sent(async () => (await by.post('/api/threads/messages', { parentMessageId: parentId, content })).body)
const thread = () => browser.client.getQueryData(messagesIn(channelId, parentId).queryKey)
const followed = () => browser.client.getQueryData(myThreads.queryKey)?.find(({ threadId }) => threadId === parentId)

test('a message, its edit and its deletion', async () => {
  const { ada } = talk
  const id = await sent(() => ada.say(channelId, 'first'))
  await browser.after(() => ada.put(`/api/messages/${id}`, { content: 'second thoughts' }))
  await browser.after(() => ada.delete(`/api/messages/${id}`))
  expect(browser.fetchCount()).toBe(0)
})

test('reactions come and go, on a message, a parent and a reply', async () => {
  const { ada, bob, eve } = talk
  const ids = [await sent(() => ada.say(channelId, 'first')), parentId, await reply(ada, 'mine first')]
  for (const id of ids) {
    for (const [by, emoji] of [
      [ada, '👍'],
      [bob, '👍'],
      [eve, '🎉'],
    ] as const)
      await browser.after(() => by.post(`/api/messages/${id}/reactions`, { emoji }))
    for (const [by, emoji] of [
      [eve, '🎉'],
      [ada, '👍'],
    ] as const)
      await browser.after(() => by.delete(`/api/messages/${id}/reactions/${encodeURIComponent(emoji)}`))
  }
  // The first reply may have made me follow the thread.
  expect(browser.fetchCount()).toBe(1)
})

test('a reply, its edit and its deletion show in its thread, and at the parent', async () => {
  const { ada, eve } = talk
  const first = await reply(eve, 'I think so')
  const second = await reply(ada, 'So do I')
  expect(thread()?.messages.map(({ content }) => content)).toEqual(['I think so', 'So do I'])
  expect(thread()?.parent).toMatchObject({ replyCount: 2, lastRepliers: [{ id: ada.id }, { id: eve.id }] })
  expect(browser.client.getQueryData(messagesIn(channelId).queryKey)?.messages).toEqual([thread()?.parent])
  await browser.after(() => eve.put(`/api/threads/messages/${first}`, { content: 'I doubt it' }))
  await browser.after(() => ada.delete(`/api/messages/${second}`))
  await browser.after(() => eve.delete(`/api/messages/${first}`))
  await browser.after(() => ada.put(`/api/messages/${parentId}`, { content: 'What did you think?' }))
  await browser.after(() => ada.delete(`/api/messages/${parentId}`))
  expect(browser.fetchCount()).toBe(1)
})

test('replying to a thread or being mentioned in it follows it, and it can be read', async () => {
  const { ada, bob, eve } = talk
  await reply(eve, 'not for bob')
  expect(followed()).toBeUndefined()
  const second = await reply(eve, 'but you may know')
  await browser.after(() => eve.put(`/api/messages/${second}`, { content: 'but you may know, @bob' }))
  expect(followed()).toMatchObject({ unread: 1, mentions: 1 })
  await reply(ada, '@channel listen')
  expect(followed()).toMatchObject({ unread: 2, mentions: 2 })
  await browser.after(() => bob.put(`/api/threads/${parentId}/read`, { seq: 2 }))
  await browser.after(() => bob.put(`/api/threads/${parentId}/read`, { seq: 2, unread: true }))
  const mine = await reply(bob, 'I do know')
  expect(followed()).toMatchObject({ unread: 0, mentions: 0, lastReadSeq: 4 })
  await browser.after(() => bob.put(`/api/messages/${mine}`, { content: 'I do not know' }))
  const call = await reply(ada, 'pity, @bob')
  await browser.after(() => ada.put(`/api/messages/${call}`, { content: 'pity' }))
  expect(followed()).toMatchObject({ unread: 1, mentions: 0 })
  await browser.after(() => ada.delete(`/api/messages/${call}`))
  await browser.after(() => bob.delete(`/api/threads/${parentId}/follow`))
  expect(followed()).toBeUndefined()
  await browser.after(() => bob.put(`/api/threads/${parentId}/follow`, {}))
})

test('the author of a message follows its thread from the first reply; threads are sorted by their last reply', async () => {
  const { ada, bob } = talk
  const mine = await sent(() => bob.say(channelId, 'I have a question'))
  await browser.after(() => ada.post('/api/threads/messages', { parentMessageId: mine, content: 'Ask' }))
  await reply(bob, 'I too')
  await browser.after(() => ada.post('/api/threads/messages', { parentMessageId: mine, content: 'Well?' }))
  await reply(ada, 'You too')
  expect(followed()).toBeDefined()
  await browser.after(() => bob.post(`/api/channels/${channelId}/leave`))
  expect(followed()).toBeUndefined()
  await browser.after(() => bob.post(`/api/channels/${channelId}/join`))
  expect(followed()).toBeDefined()
  await browser.after(() => ada.delete(`/api/channels/${channelId}`))
  expect(followed()).toBeUndefined()
})
