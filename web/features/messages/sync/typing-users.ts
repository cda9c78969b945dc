import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Payload } from '#contract/events'
import type { Message } from '#contract/messages'
import type { User } from '#contract/users'

interface Typing {
  user: User
  /** Unix time in milliseconds. */
  until: number
}

const TYPING_TIMEOUT_MS = 5000

/** The people who are writing in a channel, or in one of its threads, in the order in which they began. */
export const typingIn = (channelId: string, threadId: string | null = null) =>
  queryOptions({
    queryKey: ['channel', channelId, 'typing', threadId] as const,
    // Filled by events only.
    queryFn: (): Typing[] => [],
    staleTime: Number.POSITIVE_INFINITY,
  })

export function applyTyping(client: QueryClient, { channelId, threadId, user }: Payload<'typing'>) {
  const { queryKey } = typingIn(channelId, threadId)
  const until = Date.now() + TYPING_TIMEOUT_MS
  client.setQueryData(queryKey, (held = []) => {
    const isKnown = held.some((typing) => typing.user.id === user.id)
    return isKnown
      ? held.map((typing) => (typing.user.id === user.id ? { user, until } : typing))
      : [...held, { user, until }]
  })
  // Unless another event came meanwhile.
  const end = () =>
    client.setQueryData(queryKey, (held) =>
      held?.filter((typing) => typing.user.id !== user.id || typing.until > until),
    )
  setTimeout(end, TYPING_TIMEOUT_MS)
}

/** Somebody sent the message they were writing. */
export function endTyping(client: QueryClient, { channelId, threadId, userId }: Message) {
  const { queryKey } = typingIn(channelId, threadId)
  client.setQueryData(queryKey, (held) => held?.filter(({ user }) => user.id !== userId))
}
