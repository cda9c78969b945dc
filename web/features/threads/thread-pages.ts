import { infiniteQueryOptions } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import { listThreads } from '#contract/threads'
import { call } from '../../api-client/api.ts'

const THREADS_PER_PAGE = 20

/** The threads that I follow with their latest replies, all or unread ones, in pages. */
export const threadPages = (isUnread: boolean) =>
  infiniteQueryOptions({
    queryKey: ['thread-pages', isUnread] as const,
    queryFn: async ({ pageParam: cursor }) => {
      const unread = isUnread ? 'true' : 'false'
      const page = await call(listThreads, {
        query: { limit: THREADS_PER_PAGE, latestReplies: limits.latestReplies, unread, cursor },
      })
      // During an upgrade, servers of the previous version list no replies.
      return {
        ...page,
        threads: page.threads.map((thread) => ({ ...thread, latestReplies: thread.latestReplies ?? [] })),
      }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    // Events keep the threads current. Unread ones are refetched each time.
    staleTime: Number.POSITIVE_INFINITY,
    ...(isUnread && { gcTime: 0 }),
  })
