import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { limits } from '#contract/limits'
import { withLocalDays } from '../../features/search/local-days.ts'
import { searchResults } from '../../features/search/search-queries.ts'
import { t } from '../../i18n/text.ts'
import { useDebounced } from '../../ui/input/use-debounced.ts'

/**
 * The messages and files that the server finds.
 * @param isFilterTyped whether the values of a filter are listed instead
 */
export function useFound(asked: string, isFilterTyped: boolean) {
  const excess = withLocalDays(asked).length - limits.search.query
  const typed = useDebounced(excess > 0 ? '' : asked)
  const { data, error, isFetching, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    searchResults(typed),
  )
  useEffect(() => {
    if (error) console.error('Search error:', error)
  }, [error])

  const isShown = asked !== '' && !isFilterTyped
  // Results of the previous query are not shown for this one.
  const isCurrent = typed === asked
  const isBusy = isShown && excess <= 0 && (isFetching || !isCurrent)
  const results = isShown && isCurrent && data ? data.pages.flatMap((page) => page.results) : []
  const tookMs = data?.pages[0]?.tookMs
  function note() {
    if (!isShown || isBusy || tookMs === undefined) return ''
    const values = { count: results.length, ms: tookMs }
    return hasNextPage ? t('search.moreResults', values) : t('search.resultCount', values)
  }

  return {
    results,
    isBusy,
    error,
    /** By how many characters the query is too long. */
    excess,
    note: note(),
    hasMore: results.length > 0 && hasNextPage && !isFetchingNextPage,
    fetchMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  }
}
