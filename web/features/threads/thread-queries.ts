import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/endpoint'
import { limits } from '#contract/limits'
import { listThreads } from '#contract/threads'
import { call } from '../../api-client/api.ts'

export type FollowedThread = ReplyOf<typeof listThreads>['threads'][number]

/** The first hundred threads that I follow, latest reply first. */
export const myThreads = queryOptions({
  queryKey: ['threads'] as const,
  queryFn: async () => (await call(listThreads, { query: { limit: limits.page.max } })).threads,
})
