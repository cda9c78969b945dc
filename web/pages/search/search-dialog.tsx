import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { v4 as uuid } from 'uuid'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import type { SearchResult } from '#contract/search'
import { filterText, type SearchFilter } from '#contract/search-query'
import { cachedChannel } from '../../features/channels/cache/channel-cache.ts'
import { withLocalDays } from '../../features/search/local-days.ts'
import { recentSearches, rememberSearch } from '../../features/search/recent-searches.ts'
import type { SearchRow } from '../../features/search/result-list.tsx'
import { DestinationRow, FileResult, MessageResult } from '../../features/search/result-rows.tsx'
import { type SavedSearch, type SavedSearchKey, saveSearch } from '../../features/search/saved-searches.ts'
import { SearchDialog } from '../../features/search/search-dialog.tsx'
import { searchResults } from '../../features/search/search-queries.ts'
import { type Edited, finished, joinQuery, splitQuery, withoutTypedFilter } from '../../features/search/split-query.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { tooLongText } from '../../ui/format/too-long.ts'
import { Button } from '../../ui/input/button.tsx'
import { useDebounced } from '../../ui/input/use-debounced.ts'
import { ScrollSentinel } from '../../ui/list/scroll-sentinel.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { directValue } from './filter-options.tsx'
import { useDestinations } from './search-destinations.tsx'
import { filterButtons, useFilterMeaning, useFilterRows } from './search-filters.tsx'

interface Props {
  /** The search to restore. */
  restored: SavedSearch | undefined
  /** The channel to search in, as a filter that can be removed. */
  within: string | undefined
  onFile: (fileId: string) => void
  onClose: () => void
}

/** Finds and opens people, channels, messages and files. */
export default function Search({ restored, within, onFile, onClose }: Props) {
  const me = useMe()
  const client = useQueryClient()
  const navigate = useNavigate()
  const location = useLocation()
  const [query, setQuery] = useState(
    () => restored?.query ?? filterFor(within ? cachedChannel(client, within) : undefined, me.id),
  )
  const meaningOf = useFilterMeaning()
  const isKnown = (filter: SearchFilter) => meaningOf(filter) !== undefined
  const { filters, text } = splitQuery(query, isKnown)
  const [typedCaret, setCaret] = useState<number>()
  const edited = { text, caret: Math.min(typedCaret ?? text.length, text.length) }
  const filterRows = useFilterRows(edited, write)
  const isComplete = splitQuery(`${text.slice(0, edited.caret)} `, isKnown).filters.length > 0
  const isFilterTyped = filterRows.length > 0 && !isComplete
  // A filter that is still being typed is not searched for.
  const asked = (isFilterTyped ? joinQuery(filters, withoutTypedFilter(edited)) : query).trim()
  const excess = withLocalDays(asked).length - limits.search.query
  const typed = useDebounced(excess > 0 ? '' : asked)
  const sought = useDeferredValue(text)
  const destinations = useDestinations(sought, onClose)
  const { data, error, isFetching, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    searchResults(typed),
  )
  useEffect(() => {
    if (error) console.error('Search error:', error)
  }, [error])

  /** Changes the text; a filter that is finished by it becomes a chip. */
  function write({ text, caret }: Edited) {
    setQuery(joinQuery(filters, text))
    setCaret(splitQuery(text.slice(0, caret), isKnown).text.length)
  }

  function replaceQuery(next: string, caret?: number) {
    setQuery(next)
    setCaret(caret)
  }
  const without = (filter: SearchFilter) => filters.filter((it) => it !== filter)

  function go(result: SearchResult) {
    rememberSearch(me.id, asked)
    onClose()
    if (result.type === 'file') return onFile(result.id)
    const { channelId, messageId } = result.metadata
    // Going back restores the search with this row highlighted.
    const mark: SavedSearchKey = { person: me.id, key: uuid(), id: result.id }
    saveSearch(mark, query)
    const state = { ...location.state, search: mark }
    void navigate(location, { replace: true, state })
    void navigate(`${paths.channel(channelId)}?message=${messageId}`, { state: { messageId } })
  }

  const hasQuery = query.trim() !== ''
  const isAsked = asked !== ''
  // Results of the previous query are not shown for this one, and none beside the values of a filter.
  const isCurrent = typed === asked
  const results = isAsked && isCurrent && data && !isFilterTyped ? data.pages.flatMap((page) => page.results) : []
  const rowOf = (result: SearchResult): SearchRow => ({
    id: result.id,
    act: () => go(result),
    content: result.type === 'file' ? <FileResult result={result} /> : <MessageResult result={result} />,
  })
  const recent = hasQuery ? [] : recentSearches(me.id)
  const groups = [
    { name: t('search.group.filters'), rows: filterRows },
    {
      name: hasQuery ? t('search.group.places') : t('search.group.recentPlaces'),
      // Filters are for what was said.
      rows: (filters.length > 0 || isFilterTyped ? [] : (destinations ?? [])).map((destination) => ({
        id: destination.id,
        act: destination.go,
        content: <DestinationRow destination={destination} query={text} />,
      })),
    },
    { name: t('search.group.recent'), rows: recent.map((text) => recentRow(text, () => replaceQuery(finished(text)))) },
    { name: t('search.group.messages'), rows: results.filter(({ type }) => type === 'message').map(rowOf) },
    { name: t('search.group.files'), rows: results.filter(({ type }) => type === 'file').map(rowOf) },
  ]
  const isBusy = isAsked && !isFilterTyped && excess <= 0 && (isFetching || !isCurrent)
  const tookMs = data?.pages[0]?.tookMs
  function resultNote(ms: number) {
    const values = { count: results.length, ms }
    return hasNextPage ? t('search.moreResults', values) : t('search.resultCount', values)
  }

  function emptyNote() {
    if (excess > 0) return <TooLong excess={excess} />
    if (isBusy || !destinations) return null
    if (error) return <Failed retry={() => void refetch()} />
    return <NothingFound onEverywhere={filters.length > 0 ? () => replaceQuery(text) : undefined} />
  }

  return (
    <SearchDialog
      query={query}
      edited={edited}
      onEdit={write}
      chips={filters.map((filter) => ({
        id: `${filter.at} ${filter.text}`,
        label: meaningOf(filter)?.label ?? '',
        meaning: meaningOf(filter)?.meaning ?? '',
        onRemove: () => replaceQuery(joinQuery(without(filter), text), 0),
      }))}
      filters={filterButtons()}
      groups={groups}
      startId={restored?.id}
      isBusy={isBusy}
      isSettled={sought === text}
      empty={emptyNote()}
      end={
        <>
          {isBusy && results.length === 0 && <SkeletonRows />}
          {error && !isBusy && !isFilterTyped && results.length === 0 && groups.some(({ rows }) => rows.length > 0) && (
            <Failed retry={() => void refetch()} />
          )}
          {results.length > 0 && hasNextPage && !isFetchingNextPage && (
            <ScrollSentinel key={results.length} onNear={() => void fetchNextPage()} />
          )}
        </>
      }
      note={isAsked && !isBusy && !isFilterTyped && tookMs !== undefined ? resultNote(tookMs) : ''}
      onClose={onClose}
    />
  )
}

/** The filter for one conversation; a direct message is named by its members. */
function filterFor(channel: Channel | undefined, me: string) {
  if (!channel) return ''
  return `${filterText('in', channel.kind === 'direct' ? directValue(channel, me) : channel.name)} `
}

const recentRow = (text: string, act: () => void): SearchRow => ({
  id: `recent ${text}`,
  act,
  content: (
    <div className="flex h-9 items-center gap-3 text-ui">
      <span className="grid w-7 flex-none place-items-center text-faint">
        <History size={16} />
      </span>
      <bdi className="truncate">{text}</bdi>
    </div>
  ),
})

function NothingFound({ onEverywhere }: { onEverywhere: (() => void) | undefined }) {
  return (
    <>
      <p>{t('search.none')}</p>
      <p className="mt-1 text-faint text-meta">{onEverywhere ? t('search.noneFilteredHint') : t('search.noneHint')}</p>
      {onEverywhere && (
        <Button variant="line" className="mt-4" onClick={onEverywhere}>
          {t('search.everywhere')}
        </Button>
      )}
    </>
  )
}

const TooLong = ({ excess }: { excess: number }) => (
  <p role="alert" className="text-danger">
    {tooLongText(excess)}
  </p>
)

function Failed({ retry }: { retry: () => void }) {
  return (
    <p role="alert" className="px-4 py-2 text-center text-danger text-ui">
      {t('search.failed')}{' '}
      <button type="button" className="font-[600] text-pine hover:underline" onClick={retry}>
        {t('ui.tryAgain')}
      </button>
    </p>
  )
}
