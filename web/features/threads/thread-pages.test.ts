import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { setSessionUser } from '../../session/session.ts'
import { aMessage } from '../../test/a-message.ts'
import { threadPages } from './thread-pages.ts'

const realFetch = globalThis.fetch
afterEach(() => {
  globalThis.fetch = realFetch
})

test('a page from a server of the previous version, which lists no replies, can be shown', async () => {
  setSessionUser('bob')
  const token = `header.${btoa(JSON.stringify({ sub: 'bob', exp: Math.floor(Date.now() / 1000) + 3600 }))}.signature`
  const parent = aMessage(1, { replyCount: 2 })
  const threads = [{ threadId: parent.id, parent, isFollowing: true, lastReadSeq: 0, readVersion: 0, unread: 2 }]
  globalThis.fetch = (path) => {
    const body = String(path).includes('/token') ? { token } : { threads, pagination: { page: 1, hasMore: true } }
    return Promise.resolve(new Response(JSON.stringify(body)))
  }
  const { pages } = await new QueryClient().fetchInfiniteQuery(threadPages(false))
  expect(pages[0]?.threads).toEqual([{ ...threads[0], latestReplies: [] }])
})
