import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { toggleFlag } from '../../web/features/channels/menu/toggle-flag.ts'
import { startTalk } from './cached-browser.ts'

// Muting is optimistic, and sends one request at a time, because two could overtake each other.

let talk: Awaited<ReturnType<typeof startTalk>>
let id: string
let browser: Awaited<ReturnType<typeof talk.bobIn>>
/** Whether the channel is shown as muted; changes are recorded. */
const isShownMuted = () => browser.held()?.muted
const shown: (boolean | undefined)[] = []
const isStoredMuted = async () => (await talk.bob.get(`/api/channels/${id}`)).body.muted
const toggle = () => toggleFlag(browser.client, browser.held() as NonNullable<ReturnType<typeof browser.held>>, 'muted')

/** Handles the requests that mute and unmute. */
let onMute: (method: string, send: () => Promise<Response>) => Promise<Response>
let calm: typeof fetch
beforeAll(async () => {
  talk = await startTalk()
  calm = globalThis.fetch
})
let count = 0
beforeEach(async () => {
  const { body } = await talk.ada.post('/api/channels', { name: `muted-${count++}`, members: [talk.bob.id] })
  id = body.id
  browser = await talk.bobIn(id)
  shown.length = 0
  browser.client.getQueryCache().subscribe(() => void shown.push(isShownMuted()))
  globalThis.fetch = (path, init) =>
    String(path).endsWith('/mute') ? onMute(init?.method ?? '', () => calm(path, init)) : calm(path, init)
})
afterEach(() => {
  globalThis.fetch = calm
})

test('after muting and unmuting on a slow connection the last choice holds, and nothing else shows in between', async () => {
  const requests: string[] = []
  const [muting, unmuting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  onMute = async (method, send) => {
    requests.push(method)
    await (method === 'PUT' ? muting : unmuting).promise
    return send()
  }
  const toggled = toggle()
  expect(isShownMuted()).toBe(true)
  void toggle()
  expect(isShownMuted()).toBe(false)
  await expect.poll(() => requests).toEqual(['PUT'])
  shown.length = 0
  muting.resolve()
  await expect.poll(() => requests).toEqual(['PUT', 'DELETE'])
  expect(await isStoredMuted()).toBe(true)
  // Waits for a later event on the same socket, after which the 'muted' event must have arrived.
  await talk.ada.say(id, 'later')
  await expect.poll(() => browser.held()?.unread).toBe(1)
  unmuting.resolve()
  await toggled
  await expect.poll(isStoredMuted).toBe(false)
  await expect.poll(() => browser.client.isFetching()).toBe(0)
  expect(isShownMuted()).toBe(false)
  expect(shown).not.toContain(true)
})

test('a change that cannot be stored is shown until the response, then reverted', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const answer = Promise.withResolvers<Response>()
  onMute = () => answer.promise
  const toggled = toggle()
  expect(isShownMuted()).toBe(true)
  answer.resolve(Response.json({ error: { code: 'unavailable', message: '' } }, { status: 503 }))
  await toggled
  expect(isShownMuted()).toBe(false)
})
