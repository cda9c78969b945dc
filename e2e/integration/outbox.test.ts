import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { slowTries, times } from '#contract/test/properties'
import { STATE_TIMEOUT_MS } from '../../server/test/support/timeouts.ts'
import { setPreference } from '../../web/browser/preferences.ts'
import { currentDrafts } from '../../web/features/messages/outbox/current-drafts.ts'
import { emptyOutbox, enqueue, openOutbox, pendingIn, sendWaiting } from '../../web/features/messages/outbox/outbox.ts'
import { discard, editAgain, retry } from '../../web/features/messages/outbox/pending-acts.ts'
import { startTalk } from './cached-browser.ts'

// Bob's outbox against a real server, over a network that loses requests and responses.

type Weather = (send: () => Promise<Response>, url: string) => Promise<Response>

let talk: Awaited<ReturnType<typeof startTalk>>
let weather: Weather
const fine: Weather = (send) => send()
const storm: Weather = () => Promise.reject(new TypeError('Failed to fetch'))
beforeAll(async () => {
  talk = await startTalk()
  const calm = globalThis.fetch
  globalThis.fetch = (url, init) =>
    init?.method === 'POST' ? weather(() => calm(url, init), String(url)) : calm(url, init)
})

let count = 0
let channelId: string
let threadId: string
beforeEach(async () => {
  const { ada, bob } = talk
  const { body } = await ada.post('/api/channels', { name: `outbox-${count++}`, members: [bob.id] })
  channelId = body.id
  threadId = (await ada.say(channelId, 'What do you think?')).id
  weather = fine
  setPreference('undoSend', 'off')
  vi.spyOn(console, 'error').mockImplementation(() => {})
  return openOutbox(bob.id)
})

const say = (content: string) => enqueue({ channelId, threadId: null }, content)
const reply = (content: string) => enqueue({ channelId, threadId }, content)
const contents = (list: readonly { content: string }[]) => list.map(({ content }) => content)
const stored = async () => contents((await talk.ada.get(`/api/messages/channel/${channelId}`)).body).slice(1)
const replied = async () => contents((await talk.ada.get(`/api/threads/${threadId}/messages`)).body).slice(1)
const settled = () =>
  vi.waitFor(() => expect([...pendingIn(channelId), ...pendingIn(threadId)]).toEqual([]), { timeout: STATE_TIMEOUT_MS })
const states = (place: string) => pendingIn(place).map(({ content, state }) => `${content}: ${state}`)

test('messages and replies arrive in the order they were written, each in its place', async () => {
  for (const n of [1, 2, 3]) {
    say(`said ${n}`)
    reply(`replied ${n}`)
  }
  expect(pendingIn(channelId)).toHaveLength(3)
  expect(pendingIn(threadId)).toHaveLength(3)
  await settled()
  expect(await stored()).toEqual(['said 1', 'said 2', 'said 3'])
  expect(await replied()).toEqual(['replied 1', 'replied 2', 'replied 3'])
})

test('an unreachable thread does not hold up its channel', async () => {
  weather = (send, url) => (url.includes('/threads/') ? storm(send, url) : send())
  reply('waits')
  say('goes')
  await vi.waitFor(() => expect(states(threadId)).toEqual(['waits: queued']), { timeout: STATE_TIMEOUT_MS })
  expect(pendingIn(threadId)[0]?.reason).toBe('Waiting to send: no connection')
  await vi.waitFor(async () => expect(await stored()).toEqual(['goes']), { timeout: STATE_TIMEOUT_MS })
  weather = fine
  sendWaiting()
  await settled()
  expect(await replied()).toEqual(['waits'])
})

test('a reply whose response was lost is retried and appears once', async () => {
  weather = async (send) => {
    weather = fine
    await send()
    throw new TypeError('Failed to fetch')
  }
  reply('once')
  reply('then this')
  await settled()
  expect(await replied()).toEqual(['once', 'then this'])
})

test('under any network failures each message arrives once and in the order written', {
  timeout: times(240_000),
}, async () => {
  const weathers: Record<string, Weather> = {
    fine,
    storm,
    // The request arrives and its response is lost.
    deaf: async (send) => {
      await send()
      throw new TypeError('Failed to fetch')
    },
    busy: async () => Response.json({ error: { code: 'unavailable', message: 'x' } }, { status: 503 }),
  }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...Object.keys(weathers)), { maxLength: 16 }), async (forecast) => {
      const [saidBefore, repliedBefore] = [await stored(), await replied()]
      const coming = forecast.values()
      weather = (send, url) => (weathers[coming.next().value ?? 'fine'] ?? fine)(send, url)
      const lines = [1, 2, 3, 4].map((n) => `line ${n}`)
      for (const line of lines) {
        say(line)
        reply(line)
      }
      await vi.waitFor(
        () => {
          sendWaiting()
          expect([...pendingIn(channelId), ...pendingIn(threadId)]).toEqual([])
        },
        { timeout: STATE_TIMEOUT_MS, interval: 20 },
      )
      // A page contains fifty messages.
      const latest = (all: string[]) => all.slice(-2 * lines.length)
      expect(latest(await stored())).toEqual(latest([...saidBefore, ...lines]))
      expect(latest(await replied())).toEqual(latest([...repliedBefore, ...lines]))
    }),
    slowTries(10),
  )
})

test('a message queued behind a pending one is shown as pending, and can be withdrawn', async () => {
  weather = storm
  for (const content of ['first', 'second']) say(content)
  await vi.waitFor(() => expect(states(channelId)).toEqual(['first: queued', 'second: queued']), {
    timeout: STATE_TIMEOUT_MS,
  })
  say('third')
  await vi.waitFor(() => expect(states(channelId)).toContain('third: queued'), { timeout: STATE_TIMEOUT_MS })
  const [, second] = pendingIn(channelId)
  if (second) discard(second)
  weather = fine
  sendWaiting()
  await settled()
  expect(await stored()).toEqual(['first', 'third'])
})

test.each([
  [503, 'unavailable', 'Waiting to send: server busy'],
  [507, 'storage_full', "Waiting to send: the server's disk is full"],
])(
  'a request that is answered %s, %s, is retried after its Retry-After, and says why',
  async (status, code, reason) => {
    weather = async () => {
      weather = fine
      return Response.json({ error: { code, message: 'x' } }, { status, headers: { 'retry-after': '1' } })
    }
    reply('patience')
    await vi.waitFor(() => expect(pendingIn(threadId)[0]?.reason).toBe(reason), { timeout: STATE_TIMEOUT_MS })
    await settled()
    expect(await replied()).toEqual(['patience'])
  },
)

test('a refused message returns to its composer, with the reason', async () => {
  const { ada, bob } = talk
  await ada.post(`/api/channels/${channelId}/remove-member`, { userId: bob.id })
  reply('not welcome in the thread')
  say('not welcome here')
  await settled()
  expect(currentDrafts().get(threadId)).toEqual({
    text: 'not welcome in the thread',
    refusal: 'Failed to create thread message: join the channel to do this',
    to: { channelId, threadId },
  })
  expect(currentDrafts().get(channelId)).toEqual({
    text: 'not welcome here',
    refusal: 'Not sent: join the channel to do this',
    to: { channelId, threadId: null },
  })
  expect(console.error).toHaveBeenCalledWith('Failed to create thread message:', expect.anything())
  currentDrafts().set(threadId, { text: 'changed' })
  expect(currentDrafts().get(threadId)).toEqual({ text: 'changed' })
})

test('if the composer holds new text, a refused message stays as a failed row that can be edited, retried and discarded', async () => {
  const { ada, bob } = talk
  await ada.post(`/api/channels/${channelId}/remove-member`, { userId: bob.id })
  currentDrafts().set(threadId, { text: 'new text' })
  for (const content of ['first', 'second', 'third']) reply(content)
  await vi.waitFor(() => expect(states(threadId)).toEqual(['first: failed', 'second: failed', 'third: failed']), {
    timeout: STATE_TIMEOUT_MS,
  })
  const [first, second, third] = pendingIn(threadId)
  if (!first || !second || !third) throw new Error('They are gone')
  expect(first.reason).toBe('Failed to create thread message: join the channel to do this')
  expect(currentDrafts().get(threadId)).toEqual({ text: 'new text' })

  editAgain(first)
  expect(currentDrafts().get(threadId)).toEqual({ text: 'first\nnew text', to: { channelId, threadId } })
  discard(second)
  await bob.post(`/api/channels/${channelId}/join`)
  retry(third)
  await settled()
  expect(await replied()).toEqual(['third'])
})

test('without a database that tabs share, no message is held', async () => {
  weather = storm
  setPreference('undoSend', 'on')
  say('at once')
  expect(pendingIn(channelId)[0]?.heldUntil).toBeUndefined()
  await vi.waitFor(() => expect(states(channelId)).toEqual(['at once: queued']), { timeout: STATE_TIMEOUT_MS })
  setPreference('undoSend', 'off')
  weather = fine
  sendWaiting()
  await settled()
})

test('signing out empties composers and outbox; one user’s messages wait for them and are never sent as another’s', async () => {
  weather = storm
  reply('mine alone')
  currentDrafts().set(threadId, { text: 'half a reply' })
  currentDrafts().set(channelId, { text: 'half a thought' })
  await vi.waitFor(() => expect(states(threadId)).toEqual(['mine alone: queued']), { timeout: STATE_TIMEOUT_MS })
  openOutbox(talk.eve.id)
  expect([...pendingIn(threadId), currentDrafts().get(threadId).text, currentDrafts().get(channelId).text]).toEqual([
    '',
    '',
  ])

  let release = (_: Response) => {}
  weather = () => new Promise((resolve) => (release = resolve))
  reply('answered too late')
  await vi.waitFor(() => expect(states(threadId)).toEqual(['answered too late: sending']), {
    timeout: STATE_TIMEOUT_MS,
  })
  await emptyOutbox()
  openOutbox(talk.bob.id)
  currentDrafts().set(threadId, { text: 'of another person' })
  weather = fine
  release(Response.json({ error: { code: 'forbidden', message: 'Not now' } }, { status: 403 }))
  // The server responds to this one after the late rejection has been handled.
  reply('mine again')
  await settled()
  expect(currentDrafts().get(threadId)).toEqual({ text: 'of another person' })
  // The device kept Bob's message until he signed in again.
  expect(await replied()).toEqual(['mine alone', 'mine again'])
})
