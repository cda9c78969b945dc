import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aMessage } from '../../../test/a-message.ts'
import { applyTyping, endTyping } from './typing-events.ts'
import { typingIn } from './typing-users.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const userOf = (id: string) => ({ id, username: id, name: id })

function listener() {
  const client = new QueryClient()
  return {
    applyEvent: (id: string, threadId: string | null = null) =>
      applyTyping(client, { channelId: 'c', threadId, user: userOf(id) }),
    say: (id: string) => endTyping(client, aMessage(1, { userId: id, user: userOf(id) })),
    typing: (threadId: string | null = null) =>
      client.getQueryData(typingIn('c', threadId).queryKey)?.map(({ user }) => user.id) ?? [],
  }
}

test('a user is shown as typing for five seconds after their last event, in the order in which users began', async () => {
  const { applyEvent, typing } = listener()
  applyEvent('ada')
  await vi.advanceTimersByTimeAsync(3000)
  applyEvent('bob')
  applyEvent('ada')
  expect(typing()).toEqual(['ada', 'bob'])
  await vi.advanceTimersByTimeAsync(3000)
  applyEvent('bob')
  await vi.advanceTimersByTimeAsync(2000)
  expect(typing()).toEqual(['bob'])
  await vi.advanceTimersByTimeAsync(3000)
  expect(typing()).toEqual([])
})

test('sending ends typing; a channel and its threads are separate', () => {
  const { applyEvent, say, typing } = listener()
  applyEvent('ada')
  applyEvent('bob')
  applyEvent('ada', 'thread')
  say('ada')
  expect(typing()).toEqual(['bob'])
  expect(typing('thread')).toEqual(['ada'])
})
