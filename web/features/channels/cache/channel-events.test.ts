import { QueryClient, QueryObserver } from '@tanstack/react-query'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '#contract/messages'
import { slowTries, times } from '#contract/test/properties'
import { refetch } from '../../../cache/patch-query.ts'
import { setSessionUser } from '../../../session/session.ts'
import { aChannel } from '../../../test/a-channel.ts'
import { aMessage } from '../../../test/a-message.ts'
import { applyChannelRead } from './channel-cursor.ts'
import { applyMemberCount, applyMessage, applyMessageChange } from './channel-events.ts'
import { allChannels, channelById } from './channel-queries.ts'
import { refetchIfBehind } from './channel-revision.ts'

const realFetch = globalThis.fetch
beforeEach(() => {
  vi.useFakeTimers()
  setSessionUser('bob')
})
afterEach(() => {
  vi.useRealTimers()
  globalThis.fetch = realFetch
})

// It outlives every simulated history.
const TOKEN = `header.${btoa(JSON.stringify({ sub: 'bob', exp: Math.floor(Date.now() / 1000) + 20 * 24 * 3600 }))}.signature`
const MENTION = { mentions: [{ userId: 'bob', username: 'bob' }] }

type ApplyEvent = (client: QueryClient) => void

/** A model of a channel on the server, as Bob sees it, with the events that he receives. */
function modelChannel() {
  let [rev, lastReadSeq, readVersion, members] = [1, 0, 0, 2]
  const messages: Message[] = []
  const events: { apply: ApplyEvent; isMine: boolean }[] = []
  const publish = (apply: ApplyEvent, isMine = false) => void events.push({ apply, isMine })

  const cursor = () => ({
    lastReadSeq,
    readVersion,
    unread: messages.length - lastReadSeq,
    mentions: messages.filter(
      ({ seq, mentions, userId }) => seq > lastReadSeq && userId !== 'bob' && mentions.length > 0,
    ).length,
  })
  function change(at: number, to: Partial<Message>) {
    const i = at % Math.max(1, messages.length)
    const before = messages[i]
    if (!before || before.deletedAt) return
    const message = { ...before, ...to, rev: ++rev }
    messages[i] = message
    publish((client) => applyMessageChange(client, message, 'bob'))
  }
  return {
    events,
    get rev() {
      return rev
    },
    shown: () =>
      aChannel({
        lastMessageAt: messages.at(-1)?.createdAt ?? null,
        seq: messages.length,
        rev,
        _count: { members },
        ...cursor(),
      }),
    send(at: number) {
      const seq = messages.length + 1
      const userId = at % 5 === 0 ? 'bob' : 'ada'
      const message = aMessage(seq, { rev: ++rev, userId, createdAt: `at ${rev}`, ...(at % 2 && MENTION) })
      messages.push(message)
      if (userId === 'bob') lastReadSeq = seq
      publish((client) => applyMessage(client, message, 'bob'))
    },
    edit: (at: number) => change(at, at % 2 ? MENTION : { mentions: [] }),
    remove: (at: number) => change(at, { mentions: [], deletedAt: 'now' }),
    join() {
      const joined = { channelId: 'c', rev: ++rev, memberCount: ++members }
      publish((client) => applyMemberCount(client, joined))
    },
    read(at: number) {
      const isUnread = at % 4 === 0
      const seq = Math.min(at, messages.length)
      lastReadSeq = isUnread ? Math.max(0, seq - 1) : Math.max(lastReadSeq, seq)
      if (isUnread) readVersion++
      const read = { channelId: 'c', ...cursor(), rev }
      publish((client) => applyChannelRead(client, read), true)
    },
  }
}

/** A browser that has cached the channel; `requests` counts its requests. */
function browser(channel: ReturnType<typeof modelChannel>, latency = () => 30) {
  let requests = 0
  globalThis.fetch = (path) => {
    const isToken = String(path).includes('/token')
    if (!isToken) requests++
    const page = {
      channels: [channel.shown()],
      directMessages: [],
      pagination: { page: 1, limit: 100, hasMore: false },
    }
    const shown = String(path).includes('/channels?') ? page : channel.shown()
    const response = JSON.stringify(isToken ? { token: TOKEN } : shown)
    if (isToken) return Promise.resolve(new Response(response))
    return new Promise((resolve) => setTimeout(() => resolve(new Response(response)), latency()))
  }
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 1e9 } } })
  client.setQueryData(allChannels.queryKey, { c: channel.shown() })
  client.setQueryData(channelById('c').queryKey, channel.shown())
  new QueryObserver(client, allChannels).subscribe(() => {})
  return {
    client,
    refetchList: () => void refetch(client, { queryKey: allChannels.queryKey }),
    requests: () => requests,
    listed: () => client.getQueryData(allChannels.queryKey)?.['c'],
    standalone: () => client.getQueryData(channelById('c').queryKey),
  }
}

interface Step {
  act: (typeof acts)[number]
  at: number
}
/** How an event is delivered. */
interface Delivery {
  delayMs: number
  isLost: boolean
  isDuplicated: boolean
}
type History = [steps: Step[], deliveries: Delivery[], latencies: number[]]

const acts = ['send', 'send', 'send', 'edit', 'remove', 'join', 'read', 'read', 'wait', 'list'] as const

/** A mention is removed while a response that still contains it is in flight (found with the seed 2143193500). */
const REMOVED_MENTION: History = [
  [
    { act: 'read', at: 0 },
    { act: 'send', at: 0 },
    { act: 'read', at: 0 },
    { act: 'send', at: 1 },
    { act: 'send', at: 12 },
    { act: 'wait', at: 0 },
    { act: 'edit', at: 16 },
  ],
  [
    { delayMs: 0, isLost: false, isDuplicated: false },
    { delayMs: 1, isLost: false, isDuplicated: false },
  ],
  [2],
]

/** A message is removed after a cursor counted it, and before the cursor's event arrives. */
const LATE_CURSOR: History = [
  [
    { act: 'send', at: 0 },
    { act: 'send', at: 1 },
    { act: 'read', at: 2 },
    { act: 'wait', at: 0 },
    { act: 'read', at: 0 },
    { act: 'remove', at: 3 },
  ],
  [
    { delayMs: 16, isLost: false, isDuplicated: false },
    { delayMs: 0, isLost: false, isDuplicated: false },
    { delayMs: 0, isLost: false, isDuplicated: false },
  ],
  [0],
]

test('after late, lost, duplicated or reordered events, the cached channel equals a fresh fetch', {
  timeout: times(240_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ act: fc.constantFrom(...acts), at: fc.nat(20) }), { maxLength: 40, size: 'max' }),
      fc.array(
        fc.record({ delayMs: fc.oneof(fc.nat(25), fc.nat(250)), isLost: fc.boolean(), isDuplicated: fc.boolean() }),
        {
          minLength: 1,
          maxLength: 20,
        },
      ),
      fc.array(fc.nat(200), { minLength: 1, maxLength: 10 }),
      async (steps, deliveries, latencies) => {
        const channel = modelChannel()
        let responses = 0
        const { client, refetchList, listed, standalone } = browser(
          channel,
          () => latencies[responses++ % latencies.length] ?? 30,
        )
        let delivered = 0
        for (const { act, at } of steps) {
          if (act === 'wait') await vi.advanceTimersByTimeAsync(at * 8)
          else if (act === 'list') refetchList()
          else channel[act](at)
          for (; delivered < channel.events.length; delivered++) {
            const event = channel.events[delivered]
            const delivery = deliveries[delivered % deliveries.length]
            if (!event || !delivery) continue
            const { delayMs, isLost, isDuplicated } = delivery
            const receive = () => event.apply(client)
            // Read cursors have no revision: they arrive soon, or the connection is lost and everything is refetched.
            if (event.isMine) setTimeout(receive, delayMs % 5)
            else if (!isLost) setTimeout(receive, delayMs)
            if (isDuplicated && !isLost) setTimeout(receive, delayMs + 40)
          }
        }
        await vi.advanceTimersByTimeAsync(300)
        refetchIfBehind(client, { channelId: 'c', rev: channel.rev })
        await vi.advanceTimersByTimeAsync(3000)
        expect(listed()).toEqual(channel.shown())
        expect(standalone()).toEqual(channel.shown())
        client.clear()
      },
    ),
    slowTries(1000, [REMOVED_MENTION, LATE_CURSOR]),
  )
})

test('duplicated events change nothing and cause no requests', async () => {
  const channel = modelChannel()
  const { client, requests, listed, standalone } = browser(channel)
  for (const at of [1, 2, 3]) channel.send(at)
  channel.join()
  for (const { apply } of [...channel.events, ...channel.events.toReversed()]) apply(client)
  await vi.advanceTimersByTimeAsync(1000)
  expect([listed(), standalone()]).toEqual([channel.shown(), channel.shown()])
  expect(requests()).toBe(0)
})

test('a cursor counted before a mention is refetched', async () => {
  const channel = modelChannel()
  channel.send(1)
  const { client, requests, listed } = browser(channel)
  channel.read(1)
  channel.send(1)
  const [, read, mention] = channel.events
  mention?.apply(client)
  expect(listed()?.mentions).toBe(2)
  read?.apply(client)
  await vi.advanceTimersByTimeAsync(1000)
  expect(listed()).toEqual(channel.shown())
  expect(requests()).toBe(1)
})

test('a cursor that counts messages before their events arrive sets the number of messages', async () => {
  const channel = modelChannel()
  const { client, requests, listed } = browser(channel)
  for (const at of [1, 3]) channel.send(at)
  channel.read(1)
  const [first, second, read] = channel.events
  for (const event of [read, first]) event?.apply(client)
  expect(listed()).toMatchObject({ seq: 2, unread: 1, mentions: 1, lastReadSeq: 1 })
  second?.apply(client)
  expect(listed()).toEqual(channel.shown())
  expect(requests()).toBe(0)
})

test('an event lost while the list is fetched causes a refetch, unless the list is newer', async () => {
  const channel = modelChannel()
  const { requests, client, refetchList, listed } = browser(channel)
  refetchList()
  await vi.advanceTimersByTimeAsync(5)
  expect(requests()).toBe(1)
  channel.send(1)
  channel.join()
  // The first event is lost, and the response in flight contains neither.
  channel.events[1]?.apply(client)
  await vi.advanceTimersByTimeAsync(1000)
  expect(listed()).toEqual(channel.shown())
  expect(requests()).toBe(2)

  client.removeQueries(channelById('c'))
  channel.send(3)
  channel.join()
  refetchList()
  await vi.advanceTimersByTimeAsync(5)
  channel.events[3]?.apply(client)
  await vi.advanceTimersByTimeAsync(1000)
  expect(listed()).toEqual(channel.shown())
  expect(requests()).toBe(3)
})
