import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { aMessage } from '../../../test/a-message.ts'
import { createChannelSync } from './channel-sync.ts'
import { holdReplies, messagesIn } from './message-queries.ts'

test('replies that were listed with a thread do not come back once they are too old to catch up', async () => {
  vi.useFakeTimers()
  const client = new QueryClient()
  const now = { messages: [aMessage(150)], hasOlder: true, hasNewer: false, rev: 150 }
  const changes = vi.fn(async () => ({ rev: 150, reload: true as const }))
  const sync = createChannelSync({
    client,
    onGone: () => {},
    source: { changes, sync: async (epoch) => ({ epoch, gone: [], channels: {} }) },
  })
  const latestReplies = [aMessage(1, { id: 'r', threadId: 't' })]
  const listed = { threadId: 't', isFollowing: true, lastReadSeq: 1, readVersion: 0, unread: 0, mentions: 0, rev: 1 }
  const held = () => client.getQueryData(messagesIn('c', 't').queryKey)?.messages
  holdReplies(client, { ...listed, parent: aMessage(1, { id: 't' }), latestReplies })
  expect(held()).toEqual(latestReplies)
  // The held ones are newer.
  holdReplies(client, { ...listed, parent: aMessage(1, { id: 't' }), latestReplies: [aMessage(2)] })
  expect(held()).toEqual(latestReplies)

  client.setQueryData(messagesIn('c').queryKey, now)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(held()).toBeUndefined()
  expect(changes).toHaveBeenCalledOnce()
  sync.end()
  vi.useRealTimers()
})
