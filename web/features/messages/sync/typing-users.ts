import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Payload } from '#contract/events'
import type { Message } from '#contract/messages'
import type { User } from '#contract/users'

interface Typing {
  user: User
  /** Milliseconds since 1970. */
  until: number
}

/** Milliseconds. */
const LASTS = 5000

/** Who is writing in a channel, or in one of its threads; those who began first come first. */
export const typingIn = (channelId: string, threadId: string | null = null) =>
  queryOptions({
    queryKey: ['channel', channelId, 'typing', threadId] as const,
    // Nobody, until somebody is heard.
    queryFn: (): Typing[] => [],
    staleTime: Number.POSITIVE_INFINITY,
  })

export function hearTyping(client: QueryClient, { channelId, threadId, user }: Payload<'typing'>) {
  const { queryKey } = typingIn(channelId, threadId)
  const until = Date.now() + LASTS
  client.setQueryData(queryKey, (held = []) => {
    const isKnown = held.some((it) => it.user.id === user.id)
    return isKnown ? held.map((it) => (it.user.id === user.id ? { user, until } : it)) : [...held, { user, until }]
  })
  // Unless they were heard again.
  const end = () =>
    client.setQueryData(queryKey, (held) => held?.filter((it) => it.user.id !== user.id || it.until > until))
  setTimeout(end, LASTS)
}

/** What somebody was writing has come. */
export function endTyping(client: QueryClient, { channelId, threadId, userId }: Message) {
  const { queryKey } = typingIn(channelId, threadId)
  client.setQueryData(queryKey, (held) => held?.filter(({ user }) => user.id !== userId))
}
