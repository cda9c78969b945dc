import type { KeyboardEvent } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { STATE_TIMEOUT_MS } from '../../server/test/support/timeouts.ts'
import { setPreference } from '../../web/browser/preferences.ts'
import { undoSendByKey } from '../../web/features/messages/composer/undo-send-by-key.ts'
import { attachmentsIn, setAttachments } from '../../web/features/messages/outbox/attachments.ts'
import { currentDrafts } from '../../web/features/messages/outbox/current-drafts.ts'
import { HOLD_MS } from '../../web/features/messages/outbox/hold.ts'
import {
  emptyOutbox,
  enqueue,
  isHeld,
  openOutbox,
  pendingIn,
  readPending,
  sendWaiting,
} from '../../web/features/messages/outbox/outbox.ts'
import { sendNow, undoSend } from '../../web/features/messages/outbox/undo-send.ts'
import { startTalk } from './cached-browser.ts'

// "Undo send" in Bob's outbox, with a database, against a real server.

const database = await vi.hoisted(async () => (await import('./memory-database.ts')).memoryDatabase())
vi.mock('../../web/features/messages/outbox/outbox-database.ts', () => database)

type Weather = (send: () => Promise<Response>, url: string) => Promise<Response>

let talk: Awaited<ReturnType<typeof startTalk>>
let weather: Weather
let posts = 0
const fine: Weather = (send) => send()
const storm: Weather = () => Promise.reject(new TypeError('Failed to fetch'))
beforeAll(async () => {
  talk = await startTalk()
  const calm = globalThis.fetch
  globalThis.fetch = (url, init) => {
    if (init?.method !== 'POST') return calm(url, init)
    posts++
    return weather(() => calm(url, init), String(url))
  }
})

let count = 0
let channelId: string
let threadId: string
beforeEach(async () => {
  const { ada, bob } = talk
  const { body } = await ada.post('/api/channels', { name: `held-${count++}`, members: [bob.id] })
  channelId = body.id
  threadId = (await ada.say(channelId, 'What do you think?')).id
  weather = fine
  posts = 0
  setPreference('undoSend', 'off')
  vi.spyOn(console, 'error').mockImplementation(() => {})
  return openOutbox(bob.id)
})
afterEach(() => {
  database.refused.clear()
  return emptyOutbox()
})

const say = (content: string) => enqueue({ channelId, threadId: null }, content)
const reply = (content: string) => enqueue({ channelId, threadId }, content)
const contents = (list: readonly { content: string }[]) => list.map(({ content }) => content)
const stored = async () => contents((await talk.ada.get(`/api/messages/channel/${channelId}`)).body).slice(1)
const replied = async () => contents((await talk.ada.get(`/api/threads/${threadId}/messages`)).body).slice(1)
const settled = () =>
  vi.waitFor(() => expect([...pendingIn(channelId), ...pendingIn(threadId)]).toEqual([]), { timeout: STATE_TIMEOUT_MS })
const states = (place: string) => pendingIn(place).map(({ content, state }) => `${content}: ${state}`)

/** Writes messages that are held, and returns them. */
function hold(...texts: string[]) {
  setPreference('undoSend', 'on')
  for (const content of texts) say(content)
  setPreference('undoSend', 'off')
  return pendingIn(channelId).slice(-texts.length)
}

/** Until the database contains a message. */
const untilStored = () => vi.waitFor(() => expect(database.count()).toBe(1), { timeout: STATE_TIMEOUT_MS })

/** A network that keeps requests until they are released. */
function slowNetwork() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  weather = async (send) => {
    begin()
    await released
    return send()
  }
  return { begun, release }
}

test('a held message is not sent before its author says so, and cannot be taken back from then on', async () => {
  setPreference('undoSend', 'on')
  for (const content of ['first', 'second', 'taken back']) say(content)
  setPreference('undoSend', 'off')
  say('behind them')
  const [first, second, last] = pendingIn(channelId)
  if (!first || !second || !last) throw new Error('They are gone')
  currentDrafts().set(channelId, { text: 'new text' })
  undoSend(last)
  expect(currentDrafts().get(channelId).text).toBe('taken back\nnew text')
  expect(await stored()).toEqual([])

  const { begun, release } = slowNetwork()
  sendNow(first)
  undoSend(first)
  await begun
  undoSend(first)
  expect(contents(pendingIn(channelId))).toEqual(['first', 'second', 'behind them'])
  weather = fine
  release()
  sendNow(second)
  await settled()
  expect(await stored()).toEqual(['first', 'second', 'behind them'])
})

test('a held message is sent when its time is over, and its conversation waits for it', async () => {
  setPreference('undoSend', 'on')
  say('held')
  setPreference('undoSend', 'off')
  say('not held')
  reply('elsewhere')
  await vi.waitFor(async () => expect(await replied()).toEqual(['elsewhere']), { timeout: STATE_TIMEOUT_MS })
  expect(states(channelId)).toEqual(['held: sending', 'not held: sending'])
  expect(await stored()).toEqual([])
  await settled()
  expect(await stored()).toEqual(['held', 'not held'])
})

test('without a connection, a message that was held waits as any other', async () => {
  weather = storm
  setPreference('undoSend', 'on')
  for (const content of ['first', 'second']) say(content)
  const [, second] = pendingIn(channelId)
  if (second) sendNow(second)
  await vi.waitFor(() => expect(states(channelId)).toEqual(['first: queued', 'second: queued']), {
    timeout: STATE_TIMEOUT_MS,
  })
  setPreference('undoSend', 'off')
  expect(pendingIn(channelId).some(isHeld)).toBe(false)
  weather = fine
  sendWaiting()
  await settled()
  expect(await stored()).toEqual(['first', 'second'])
})

test('behind a slow or queued message, a message can be taken back for its full time and not longer', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  weather = async (send, url) => {
    if (url.includes('/threads/')) return storm(send, url)
    await released
    return send()
  }
  say('slow')
  reply('queued')
  await vi.waitFor(() => expect(states(threadId)).toEqual(['queued: queued']), { timeout: STATE_TIMEOUT_MS })
  const heldUntil = Date.now() + HOLD_MS
  setPreference('undoSend', 'on')
  say('waits')
  reply('waits')
  setPreference('undoSend', 'off')
  const waiting = () => [...pendingIn(channelId), ...pendingIn(threadId)].filter(({ content }) => content === 'waits')
  const before = waiting()
  expect(before.map(isHeld)).toEqual([true, true])
  // The first one fails again meanwhile.
  await vi.waitFor(() => expect(posts).toBeGreaterThan(2), { timeout: STATE_TIMEOUT_MS })
  expect(waiting().map(isHeld)).toEqual([true, true])
  await vi.waitFor(() => expect(waiting().map((message) => message.heldUntil)).toEqual([0, 0]), {
    timeout: STATE_TIMEOUT_MS,
  })
  expect(Date.now()).toBeGreaterThanOrEqual(heldUntil)
  for (const message of before) undoSend(message)
  expect(states(channelId)).toEqual(['slow: sending', 'waits: sending'])
  expect(states(threadId)).toEqual(['queued: queued', 'waits: queued'])
  weather = fine
  release()
  sendWaiting()
  await settled()
  expect([await stored(), await replied()]).toEqual([
    ['slow', 'waits'],
    ['queued', 'waits'],
  ])
})

test('messages that were taken back and sent stay so, even if the database refuses to delete them', async () => {
  const [first] = hold('taken back')
  if (!first) throw new Error('It is gone')
  await untilStored()
  database.refused.add('delete')
  undoSend(first)
  await readPending()
  expect(pendingIn(channelId)).toEqual([])
  posts = 0
  for (const content of ['sent', 'sent later']) say(content)
  await settled()
  await readPending()
  sendWaiting()
  say('last')
  await settled()
  expect([posts, await stored()]).toEqual([3, ['sent', 'sent later', 'last']])
})

test('a refused message is tried once, even if the database refuses to change it', async () => {
  await talk.ada.post(`/api/channels/${channelId}/remove-member`, { userId: talk.bob.id })
  currentDrafts().set(channelId, { text: 'new text' })
  const [held] = hold('not welcome')
  if (!held) throw new Error('It is gone')
  await untilStored()
  database.refused.add('put')
  sendNow(held)
  await vi.waitFor(() => expect(states(channelId)).toEqual(['not welcome: failed']), { timeout: STATE_TIMEOUT_MS })
  await readPending()
  sendWaiting()
  await readPending()
  expect([posts, states(channelId)]).toEqual([1, ['not welcome: failed']])
})

test('Undo takes back the held messages behind it too, in their order and with their files', () => {
  const file = (name: string) => ({ id: name, name, type: 'text/plain', size: 1 }) as never
  setPreference('undoSend', 'on')
  say('first')
  enqueue({ channelId, threadId: null }, 'second', [file('a')])
  enqueue({ channelId, threadId: null }, 'third', [file('b'), file('c')])
  setPreference('undoSend', 'off')
  currentDrafts().set(channelId, { text: 'new text' })
  const [first, second] = pendingIn(channelId)
  if (!first || !second) throw new Error('They are gone')
  undoSend(second)
  expect(contents(pendingIn(channelId))).toEqual(['first'])
  expect(currentDrafts().get(channelId).text).toBe('second\nthird\nnew text')
  expect(attachmentsIn(channelId).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  undoSend(first)
  setAttachments(channelId, [])
})

test.each<[string, boolean, { isTyped?: boolean; repeat?: boolean; value?: string; key?: string }]>([
  ['takes back the last message', true, {}],
  ['is left to the browser once something was typed', false, { isTyped: true }],
  ['is left to the browser while it is held down', false, { repeat: true }],
  ['is left to the browser in a text', false, { value: 'text' }],
  ['with another key does nothing', false, { key: 'y' }],
])('Ctrl+Z %s', async (_, isTaken, { isTyped = false, repeat = false, value = '', key = 'z' }) => {
  hold('first', 'last')
  const preventDefault = vi.fn()
  const event = { key, ctrlKey: true, metaKey: false, altKey: false, shiftKey: false, repeat, preventDefault }
  const press = { ...event, code: '', currentTarget: { value } } as unknown as KeyboardEvent<HTMLTextAreaElement>
  expect(undoSendByKey(press, channelId, isTyped)).toBe(isTaken)
  expect(preventDefault).toHaveBeenCalledTimes(isTaken ? 1 : 0)
  const left = isTaken ? ['first'] : ['first', 'last']
  await vi.waitFor(() => expect(contents(pendingIn(channelId))).toEqual(left), { timeout: STATE_TIMEOUT_MS })
})
