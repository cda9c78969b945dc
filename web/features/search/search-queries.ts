import { infiniteQueryOptions } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import { type SearchResult, search } from '#contract/search'
import { call } from '../../api-client/api.ts'
import { withLocalDays } from './local-days.ts'

interface Page {
  results: SearchResult[]
  tookMs: number
}

/** Messages and files that match a text, page by page. A new search cancels the previous one. */
export const searchResults = (typed: string) =>
  infiniteQueryOptions({
    queryKey: ['search', typed] as const,
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const began = performance.now()
      const query = { q: withLocalDays(typed), ...(pageParam && { cursor: pageParam }) }
      const results = await call(search, { query }, signal).catch((error) => {
        // The specification's text; one request serves messages and files.
        if (!signal.aborted) console.error('File search error:', error)
        throw error
      })
      return { results, tookMs: Math.round(performance.now() - began) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ results }) => (results.length < limits.search.default ? undefined : results.at(-1)?.id),
    enabled: typed !== '',
    // Messages and permissions change all the time.
    staleTime: 0,
    gcTime: 60_000,
  })
