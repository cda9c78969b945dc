import type { QueryClient } from '@tanstack/react-query'
import type { Payload } from '#contract/events'
import type { Message } from '#contract/messages'
import { typingIn } from './typing-users.ts'

const TYPING_TIMEOUT_MS = 5000

export function applyTyping(client: QueryClient, { channelId, threadId, user }: Payload<'typing'>) {
  const { queryKey } = typingIn(channelId, threadId)
  const until = Date.now() + TYPING_TIMEOUT_MS
  client.setQueryData(queryKey, (typing = []) => {
    const isListed = typing.some((entry) => entry.user.id === user.id)
    return isListed
      ? typing.map((entry) => (entry.user.id === user.id ? { user, until } : entry))
      : [...typing, { user, until }]
  })
  // Another event may have extended it meanwhile.
  const end = () =>
    client.setQueryData(queryKey, (typing) =>
      typing?.filter((entry) => entry.user.id !== user.id || entry.until > until),
    )
  setTimeout(end, TYPING_TIMEOUT_MS)
}

/** Call when a message arrives: its author has stopped typing. */
export function endTyping(client: QueryClient, { channelId, threadId, userId }: Message) {
  const { queryKey } = typingIn(channelId, threadId)
  client.setQueryData(queryKey, (typing) => typing?.filter(({ user }) => user.id !== userId))
}
