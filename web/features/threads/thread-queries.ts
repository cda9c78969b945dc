import { queryOptions } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import { getThreadCursor, listThreads } from '#contract/threads'
import { call } from '../../api-client/api.ts'

/** The first hundred threads that I follow, latest reply first. */
export const myThreads = queryOptions({
  queryKey: ['threads'] as const,
  queryFn: async () => (await call(listThreads, { query: { limit: limits.page.max } })).threads,
})

/** The cursor of a thread that may be beyond the end of the list of my threads. */
export const threadCursor = (threadId: string) =>
  queryOptions({
    queryKey: ['thread', threadId, 'cursor'] as const,
    queryFn: () => call(getThreadCursor, { params: { threadId } }),
  })
