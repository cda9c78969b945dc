import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { STATE_TIMEOUT_MS } from '../../server/test/support/timeouts.ts'
import { onNotification } from '../../web/features/notifications/notification-bus.ts'
import { myAvailability } from '../../web/features/users/availability-queries.ts'
import { startTalk } from './cached-browser.ts'

// What notifies Bob's browser of what Ada writes, live and after a lost connection.

let talk: Awaited<ReturnType<typeof startTalk>>
let browser: Awaited<ReturnType<typeof talk.bobIn>>
let id: string
let count = 0
let notified: string[]
let end: () => void

beforeAll(async () => {
  talk = await startTalk()
})
beforeEach(async () => {
  const { ada, bob } = talk
  id = (await ada.post('/api/channels', { name: `told-${count++}`, members: [bob.id] })).body.id
  browser = await talk.bobIn(id)
  notified = []
  end = onNotification({ onNotify: ({ content }) => void notified.push(content), onRead: () => {} })
})
afterEach(() => end())

const reply = (by: 'ada' | 'bob', parentMessageId: string, content: string, alsoToChannel = false) =>
  talk[by].post('/api/threads/messages', { parentMessageId, content, alsoToChannel })
const choose = (notificationLevel: string) =>
  talk.bob.put(`/api/channels/${id}/notification-level`, { level: notificationLevel })
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: STATE_TIMEOUT_MS, interval: 20 })
/** Waits for what was sent so far by a message that notifies. */
async function expectNotified(expected: string[]) {
  await talk.ada.say(id, `@bob that is all ${count++}`)
  await eventually(() => expect(notified.at(-1)).toMatch(/^@bob that is all/))
  expect(notified.slice(0, -1)).toEqual(expected)
}

test('the first reply to my message notifies, and so does an answer right after my own reply', async () => {
  const { id: question } = await talk.bob.say(id, 'a question')
  await reply('ada', question, 'an answer')
  await eventually(() => expect(notified).toEqual(['an answer']))
  const { id: hers } = await talk.ada.say(id, 'her question')
  await reply('bob', hers, 'my answer')
  await reply('ada', hers, 'her reply')
  await eventually(() => expect(notified).toEqual(['an answer', 'her reply']))
  const { id: others } = await talk.ada.say(id, 'to herself')
  await reply('ada', others, 'only for followers')
  await expectNotified(['an answer', 'her reply'])
})

test.for(['mentions', 'everything'])('a reply that is also sent to the channel notifies once (%s)', async (level) => {
  await choose(level)
  await eventually(() => expect(browser.held()?.notificationLevel).toBe(level))
  const { id: question } = await talk.bob.say(id, 'a question')
  await reply('ada', question, 'first, for all', true)
  await eventually(() => expect(notified).toEqual(['first, for all']))
  await reply('ada', question, 'second, for all', true)
  await expectNotified(['first, for all', 'second, for all'])
})

test('after a lost connection, missed replies and messages notify as they would have', async () => {
  const { id: question } = await talk.bob.say(id, 'a question')
  await reply('ada', question, 'before')
  await eventually(() => expect(notified).toEqual(['before']))
  await choose('everything')
  await eventually(() => expect(browser.held()?.notificationLevel).toBe('everything'))
  browser.socket.disconnect()
  await reply('ada', question, 'a missed reply')
  await talk.ada.say(id, 'a missed message')
  browser.socket.connect()
  await eventually(() => expect(notified.toSorted()).toEqual(['a missed message', 'a missed reply', 'before']))

  await choose('nothing')
  await eventually(() => expect(browser.held()?.notificationLevel).toBe('nothing'))
  browser.socket.disconnect()
  await talk.ada.say(id, '@bob in silence')
  browser.socket.connect()
  await browser.settled()
  expect(notified).toHaveLength(3)
})

test('do not disturb suppresses notifications while I am away, live and after a lost connection, until it ends', async () => {
  const { bob, ada } = talk
  const be = (availability: string, until?: string) => bob.put('/api/users/me/availability', { availability, until })
  const quietUntil = () => browser.client.getQueryData(myAvailability.queryKey)?.quietUntil ?? null
  await expectNotified([])
  notified.length = 0
  await be('quiet', new Date(Date.now() + 3_600_000).toISOString())
  await be('away')
  await eventually(() => expect(quietUntil()).not.toBe(null))
  await ada.say(id, '@bob in silence')
  await browser.settled()
  await be('active')
  await eventually(() => expect(quietUntil()).toBe(null))
  await expectNotified([])

  notified.length = 0
  browser.socket.disconnect()
  await be('quiet', new Date(Date.now() + 3_600_000).toISOString())
  await be('invisible')
  await ada.say(id, '@bob in silence')
  browser.socket.connect()
  await eventually(() => expect(quietUntil()).not.toBe(null))
  await browser.settled()
  await be('active')
  await eventually(() => expect(quietUntil()).toBe(null))
  await expectNotified([])
})
