import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FollowedThread } from '#contract/threads'
import { updateFromMessage } from '../../cache/message-update.ts'
import { setSessionUser } from '../../session/session.ts'
import { aMessage } from '../../test/a-message.ts'
import { applyThreadRead, applyThreadUpdate, refetchThreads } from './thread-list.ts'
import { myThreads } from './thread-queries.ts'

const realFetch = globalThis.fetch
beforeEach(() => {
  vi.useFakeTimers()
  setSessionUser('bob')
})
afterEach(() => {
  vi.useRealTimers()
  globalThis.fetch = realFetch
})

const TOKEN = `header.${btoa(JSON.stringify({ sub: 'bob', exp: Math.floor(Date.now() / 1000) + 3600 }))}.signature`
const MENTION = { mentions: [{ userId: 'bob', username: 'bob' }] }

/** Bob's list of threads in a page and on a server whose responses take 100 ms. */
function page(first: FollowedThread) {
  let stored = first
  let requests = 0
  globalThis.fetch = (path) => {
    if (String(path).includes('/token')) return Promise.resolve(new Response(JSON.stringify({ token: TOKEN })))
    requests++
    const response = JSON.stringify({ threads: [stored] })
    return new Promise((resolve) => setTimeout(() => resolve(new Response(response)), 100))
  }
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 1e9 } } })
  client.setQueryData(myThreads.queryKey, [first])
  new QueryObserver(client, myThreads).subscribe(() => {})
  return {
    client,
    store: (thread: Partial<FollowedThread>) => {
      stored = { ...stored, ...thread }
    },
    stored: () => stored,
    requests: () => requests,
    held: () => client.getQueryData(myThreads.queryKey)?.[0],
  }
}

const parent = aMessage(1, { rev: 2, userId: 'bob', replyCount: 2 })
const thread: FollowedThread = {
  threadId: parent.id,
  parent,
  isFollowing: true,
  lastReadSeq: 0,
  readVersion: 0,
  unread: 2,
  mentions: 0,
} as FollowedThread

test('a mention removed during a fetch is gone, even if the response still contains it', async () => {
  const { client, store, stored, held } = page(thread)
  store({ mentions: 1 })
  refetchThreads(client)
  // The response is in flight.
  await vi.advanceTimersByTimeAsync(150)
  store({ mentions: 0 })
  applyThreadUpdate(
    client,
    updateFromMessage(aMessage(2, { rev: 4, userId: 'ada', threadId: parent.id, mentions: [] })),
    'bob',
  )
  await vi.advanceTimersByTimeAsync(1000)
  expect(held()).toEqual(stored())
})

test('a cursor moved back elsewhere is recounted if a reply changed before its event arrived', async () => {
  const { client, store, stored, held } = page({ ...thread, lastReadSeq: 2, unread: 0 })
  const marked = { lastReadSeq: 0, readVersion: 1, unread: 2, mentions: 1 }
  store({ ...marked, mentions: 0 })
  const reply = aMessage(2, { rev: 4, userId: 'ada', threadId: parent.id, ...MENTION })
  applyThreadUpdate(client, updateFromMessage({ ...reply, mentions: [], deletedAt: 'now' }), 'bob')
  applyThreadRead(client, { ...marked, threadId: parent.id, channelId: 'c', isFollowing: true })
  await vi.advanceTimersByTimeAsync(1000)
  expect(held()).toEqual(stored())
})

test('marking many threads that are not listed fetches the list once', async () => {
  const { client, requests } = page(thread)
  const cursor = { isFollowing: true, lastReadSeq: 3, readVersion: 0, unread: 0, mentions: 0 }
  for (let nth = 0; nth < 50; nth++) applyThreadRead(client, { ...cursor, threadId: `thread-${nth}`, channelId: 'c' })
  await vi.advanceTimersByTimeAsync(1000)
  expect(requests()).toBe(1)
})
