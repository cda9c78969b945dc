import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { limits } from '#contract/limits'
import { STATE_TIMEOUT_MS } from '../../server/test/support/timeouts.ts'
import { queryClient } from '../../web/api-client/api.ts'
import { allChannels, snapshotVersion } from '../../web/features/channels/cache/channel-queries.ts'
import { onNotification } from '../../web/features/notifications/notification-bus.ts'
import { createCatchUp } from '../../web/realtime/catch-up.ts'
import { startTalk } from './cached-browser.ts'

// After connecting, a browser catches up, and notifies of missed mentions.

let talk: Awaited<ReturnType<typeof startTalk>>
/** Requests that fail until repaired. */
let broken: RegExp | undefined
/** Requests that wait until it resolves. */
let held: { matches: RegExp; until: Promise<void> } | undefined
/** The paths of the requests of Bob's browser, and its notifications, in order. */
let happened: string[]
beforeAll(async () => {
  talk = await startTalk()
  const calm = globalThis.fetch
  globalThis.fetch = async (url, init) => {
    happened.push(String(url))
    if (held?.matches.test(String(url))) await held.until
    return broken?.test(String(url)) ? new Response('{}', { status: 503 }) : calm(url, init)
  }
})

let count = 0
let id: string
let browser: Awaited<ReturnType<typeof talk.bobIn>>
let endNotifying: () => void
beforeEach(async () => {
  broken = undefined
  held = undefined
  happened = []
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { ada, bob } = talk
  id = (await ada.post('/api/channels', { name: `missed-${count++}`, members: [bob.id] })).body.id
  browser = await talk.bobIn(id)
  endNotifying = onNotification({ onNotify: ({ content }) => happened.push(`notified: ${content}`), onRead: () => {} })
})
afterEach(() => endNotifying())

const notified = () => happened.filter((it) => it.startsWith('notified: ')).map((it) => it.slice(10))
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: STATE_TIMEOUT_MS, interval: 20 })
const lose = () => browser.socket.disconnect()
const reconnect = () => browser.socket.connect()

test('a missed mention below many newer messages is notified, before the page looks for a new version', async () => {
  const { ada } = talk
  lose()
  await ada.say(id, '@bob look at this')
  for (let nth = 0; nth < 130; nth++) await ada.say(id, `chatter ${nth}`)
  reconnect()
  await eventually(() => expect(notified()).toEqual(['@bob look at this']))
  expect(happened).not.toContain('/')
})

test('a missed mention is notified even if earlier ones have been read on another device', async () => {
  const { ada, bob } = talk
  await ada.say(id, '@bob before')
  await eventually(() => expect(notified()).toEqual(['@bob before']))
  lose()
  await bob.put(`/api/channels/${id}/read`, { seq: 1 })
  await ada.say(id, '@bob again')
  reconnect()
  await eventually(() => expect(notified()).toEqual(['@bob before', '@bob again']))
})

test('what was read elsewhere meanwhile closes its notification', async () => {
  const { ada, bob } = talk
  const { id: question } = await bob.say(id, 'a question')
  await ada.post('/api/threads/messages', { parentMessageId: question, content: 'an answer' })
  await eventually(() => expect(notified()).toEqual(['an answer']))
  lose()
  const read: string[] = []
  const end = onNotification({
    onNotify: () => {},
    onRead: (isRead) => {
      if (isRead({ channelId: id, threadId: null, seq: 1 })) read.push('channel')
      if (isRead({ channelId: id, threadId: question, seq: 1 })) read.push('thread')
    },
  })
  await bob.put(`/api/channels/${id}/read`, { seq: 1 })
  await bob.put(`/api/threads/${question}/read`, { seq: 1 })
  reconnect()
  await eventually(() => expect([...new Set(read)].toSorted()).toEqual(['channel', 'thread']))
  end()
})

test('a missed mention is notified if the connection is lost again before everything was fetched', async () => {
  lose()
  await talk.ada.say(id, '@bob in between')
  broken = /\/api\/threads\b/
  reconnect()
  await eventually(() => expect(browser.held()?.mentions).toBe(1))
  lose()
  expect(notified()).toEqual([])
  broken = undefined
  reconnect()
  await eventually(() => expect(notified()).toEqual(['@bob in between']))
})

test('a missed mention is notified once if the connection is lost again while it is fetched', async () => {
  lose()
  await talk.ada.say(id, '@bob only once')
  const { promise, resolve } = Promise.withResolvers<void>()
  const page = new RegExp(`/api/messages/channel/${id}\\?limit=${limits.page.max}$`)
  const pages = () => happened.filter((it) => page.test(it)).length
  held = { matches: page, until: promise }
  reconnect()
  await eventually(() => expect(pages()).toBe(1))
  lose()
  reconnect()
  await eventually(() => expect(pages()).toBe(2))
  resolve()
  await eventually(() => expect(notified()).not.toEqual([]))
  await browser.settled()
  expect(notified()).toEqual(['@bob only once'])
})

test('a missed mention is notified while another request fails', async () => {
  lose()
  await talk.ada.say(id, '@bob come in')
  broken = /\/api\/users\b/
  reconnect()
  await eventually(() => expect(notified()).toEqual(['@bob come in']))
})

test('of two missed mentions, the newer one is notified, and nothing that does not concern me', async () => {
  const { ada } = talk
  lose()
  for (const text of ['@bob one', '@bob two', '@eve three', 'four']) await ada.say(id, text)
  reconnect()
  await eventually(() => expect(notified()).toEqual(['@bob two']))
})

test('a channel that changed before the first connection and then cannot be fetched alone is refetched with the list', async () => {
  const { ada, bob } = talk
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const forget = new QueryObserver(client, allChannels).subscribe(() => {})
  await eventually(() => expect(client.getQueryData(allChannels.queryKey)?.[id]?.unread).toBe(0))
  const versions = client.getQueryData(snapshotVersion.queryKey)
  await ada.say(id, 'news')
  broken = new RegExp(`/api/channels/${id}$`)
  const catchUp = createCatchUp(client, bob.id)
  void catchUp.run(versions as NonNullable<typeof versions>)
  await eventually(() => expect(client.getQueryData(allChannels.queryKey)?.[id]?.unread).toBe(1))
  expect(happened.filter((it) => broken?.test(it))).not.toEqual([])
  catchUp.end()
  forget()
})

test('a request is not repeated because the socket connects in the meantime, unless it failed', async () => {
  const client = new QueryClient({ defaultOptions: queryClient.getDefaultOptions() })
  const answers: PromiseWithResolvers<string>[] = []
  const once = {
    queryKey: ['once'],
    queryFn: () => {
      const answer = Promise.withResolvers<string>()
      answers.push(answer)
      return answer.promise
    },
    staleTime: 'static',
    retry: false,
    meta: { isAskedOnce: true },
  } as const
  const forget = new QueryObserver(client, once).subscribe(() => {})
  const catchUp = createCatchUp(client, talk.bob.id)
  const versions = { epoch: 'other', peopleVersion: 0 }
  await catchUp.run(versions)
  expect(answers).toHaveLength(1)
  answers[0]?.reject(new Error('no answer'))
  await eventually(() => expect(client.getQueryState(once.queryKey)?.status).toBe('error'))
  void catchUp.run(versions)
  await eventually(() => expect(answers).toHaveLength(2))
  answers[1]?.resolve('asked')
  await eventually(() =>
    expect(client.getQueryState(once.queryKey)).toMatchObject({ data: 'asked', isInvalidated: false }),
  )
  await catchUp.run(versions)
  expect(answers).toHaveLength(2)
  expect(client.getQueryState(once.queryKey)?.isInvalidated).toBe(false)
  catchUp.end()
  forget()
})
