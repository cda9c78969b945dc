import { queryOptions } from '@tanstack/react-query'
import type { User } from '#contract/users'

interface Typing {
  user: User
  /** Unix time in milliseconds. */
  until: number
}

/** The users who are typing in a channel, or in one of its threads, in the order in which they began. */
export const typingIn = (channelId: string, threadId: string | null = null) =>
  queryOptions({
    queryKey: ['channel', channelId, 'typing', threadId] as const,
    // Filled by events only.
    queryFn: (): Typing[] => [],
    staleTime: Number.POSITIVE_INFINITY,
  })
