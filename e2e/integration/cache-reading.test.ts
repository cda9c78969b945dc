import { beforeAll, beforeEach, expect, test } from 'vitest'
import { startTalk } from './cached-browser.ts'

let talk: Awaited<ReturnType<typeof startTalk>>
beforeAll(async () => {
  talk = await startTalk()
})

let count = 0
let id: string
let browser: Awaited<ReturnType<typeof talk.bobIn>>
/** Bob is a member of a channel and has read everything. */
beforeEach(async () => {
  const { ada, bob } = talk
  const { body } = await ada.post('/api/channels', { name: `reading-${count++}`, members: [bob.id] })
  id = body.id
  browser = await talk.bobIn(id)
})
const standing = () => {
  const { unread, mentions, lastReadSeq } = browser.held() ?? {}
  return { unread, mentions, lastReadSeq }
}

test('messages of others are unread, mine are read', async () => {
  const { ada, bob } = talk
  await browser.after(() => ada.say(id, 'one'))
  await browser.after(() => ada.say(id, 'two'))
  expect(standing()).toEqual({ unread: 2, mentions: 0, lastReadSeq: 0 })
  await browser.after(() => bob.say(id, 'three'))
  expect(standing()).toEqual({ unread: 0, mentions: 0, lastReadSeq: 3 })
  expect(browser.fetchCount()).toBe(0)
})

test('reading, marking as unread, and a late read', async () => {
  const { ada, bob } = talk
  for (const text of ['one', 'two', '@bob three']) await browser.after(() => ada.say(id, text))
  await browser.after(() => bob.put(`/api/channels/${id}/read`, { seq: 2 }))
  await browser.after(() => bob.put(`/api/channels/${id}/read`, { seq: 3 }))
  await browser.after(() => bob.put(`/api/channels/${id}/read`, { seq: 2, unread: true }))
  expect(standing()).toEqual({ unread: 2, mentions: 1, lastReadSeq: 1 })
  expect(browser.fetchCount()).toBe(0)
})

test('mentions of me, @channel and @here are counted; my own messages are not', async () => {
  const { ada, bob } = talk
  for (const text of ['hello @bob', 'hello @channel', 'hello @here', 'hello @eve'])
    await browser.after(() => ada.say(id, text))
  expect(standing()).toEqual({ unread: 4, mentions: 3, lastReadSeq: 0 })
  await browser.after(() => bob.say(id, '@channel and @bob'))
  expect(standing()).toEqual({ unread: 0, mentions: 0, lastReadSeq: 5 })
  expect(browser.fetchCount()).toBe(0)
})

test('an edit adds or removes a mention; a deletion removes it', async () => {
  const { ada, bob } = talk
  let sent = ''
  await browser.after(async () => {
    sent = (await ada.say(id, 'hello bob')).id
  })
  await browser.after(() => ada.put(`/api/messages/${sent}`, { content: 'hello @bob' }))
  expect(standing().mentions).toBe(1)
  await browser.after(() => ada.put(`/api/messages/${sent}`, { content: 'hello all' }))
  expect(standing().mentions).toBe(0)
  await browser.after(() => ada.put(`/api/messages/${sent}`, { content: 'hello @bob' }))
  await browser.after(() => ada.delete(`/api/messages/${sent}`))
  expect(standing()).toMatchObject({ mentions: 0, unread: 1 })
  // Read messages no longer count, whatever happens to them.
  await browser.after(async () => {
    sent = (await ada.say(id, 'hello again')).id
  })
  await browser.after(() => bob.say(id, 'hello ada'))
  const fetchCount = browser.fetchCount()
  await browser.after(() => ada.put(`/api/messages/${sent}`, { content: 'hello again, @bob' }))
  await browser.after(() => ada.delete(`/api/messages/${sent}`))
  expect(browser.fetchCount()).toBe(fetchCount)
})

test('a lost event is noticed with the next one, or when the channel is opened', async () => {
  const { ada } = talk
  await browser.without('message:created', () => ada.say(id, 'you missed this, @bob'))
  await browser.after(() => ada.say(id, 'did you?'))
  expect(standing()).toEqual({ unread: 2, mentions: 1, lastReadSeq: 0 })
  await browser.without('message:created', () => ada.say(id, 'and this, @bob'))
  await browser.after(async () => browser.socket.emit('channel:join', id))
  expect(standing()).toEqual({ unread: 3, mentions: 2, lastReadSeq: 0 })
})

test('many messages arrive at once, some read in between', async () => {
  const { ada, bob } = talk
  await browser.after(async () => {
    const sent = Array.from({ length: 30 }, (_, i) => ada.say(id, i % 3 ? 'and so on' : `@bob ${i}`))
    for (const seq of [3, 9, 4, 20]) await bob.put(`/api/channels/${id}/read`, { seq })
    await Promise.all(sent)
  })
})

test('a channel is muted and unmuted, and is a favorite for a while', async () => {
  const { bob } = talk
  await browser.after(() => bob.put(`/api/channels/${id}/mute`, {}))
  await browser.after(() => bob.delete(`/api/channels/${id}/mute`))
  await browser.after(() => bob.put(`/api/channels/${id}/favorite`, {}))
  await browser.after(() => bob.delete(`/api/channels/${id}/favorite`))
  expect(browser.fetchCount()).toBe(0)
})
