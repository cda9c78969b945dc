import { infiniteQueryOptions } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import { type SearchResult, search } from '#contract/search'
import { call } from '../../api-client/api.ts'

interface Page {
  results: SearchResult[]
  /** Milliseconds from the question to the answer. */
  took: number
}

/** What a text finds among messages and files, page by page; an older question is called off by the next one. */
export const found = (typed: string) =>
  infiniteQueryOptions({
    queryKey: ['search', typed] as const,
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const began = performance.now()
      const query = { q: typed, ...(pageParam && { cursor: pageParam }) }
      const results = await call(search, { query }, signal).catch((error) => {
        // One question serves messages and files.
        if (!signal.aborted) console.error('File search error:', error)
        throw error
      })
      return { results, took: Math.round(performance.now() - began) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ results }) => (results.length < limits.search.default ? undefined : results.at(-1)?.id),
    enabled: typed !== '',
    // What may be read, and what is there, is another thing in a minute.
    staleTime: 0,
    gcTime: 60_000,
  })
