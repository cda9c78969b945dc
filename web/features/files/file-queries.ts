import { infiniteQueryOptions } from '@tanstack/react-query'
import { listFiles } from '#contract/files'
import { limits } from '#contract/limits'
import { call } from '../../api-client/api.ts'

/** The files of all channels I may read, newest first, page by page. */
export const allFiles = infiniteQueryOptions({
  queryKey: ['files'] as const,
  queryFn: ({ pageParam }) =>
    call(listFiles, { query: { limit: limits.page.max, ...(pageParam && { before: pageParam }) } }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => (page.length < limits.page.max ? undefined : page.at(-1)?.id),
  // The panel always shows the current files.
  staleTime: 0,
})
