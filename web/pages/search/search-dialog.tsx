import { useQueryClient } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useDeferredValue } from 'react'
import type { Channel } from '#contract/channels'
import type { SearchResult } from '#contract/search'
import { type FilterName, filterText } from '#contract/search-query'
import { cachedChannel } from '../../features/channels/cache/channel-cache.ts'
import { titleOf } from '../../features/channels/cache/channel-title.ts'
import type { Destination } from '../../features/search/destination.ts'
import { recentSearches } from '../../features/search/recent-searches.ts'
import type { SearchRow } from '../../features/search/result-list.tsx'
import { DestinationRow, FileResult, MessageResult } from '../../features/search/result-rows.tsx'
import type { SavedSearch } from '../../features/search/saved-searches.ts'
import { SearchDialog } from '../../features/search/search-dialog.tsx'
import { finished } from '../../features/search/split-query.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { ScrollSentinel } from '../../ui/list/scroll-sentinel.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { directValue } from './filter-options.tsx'
import { useDestinations } from './search-destinations.tsx'
import { filterButtons } from './search-filters.tsx'
import { Failed, NothingFound, TooLong } from './search-notes.tsx'
import { useFound } from './use-found.ts'
import { useOpenResult } from './use-open-result.ts'
import { useTypedQuery } from './use-typed-query.ts'

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
  const { query, asked, text, edited, chips, filterRows, filterName, isFilterTyped, write, replace } = useTypedQuery(
    () => restored?.query ?? filterFor(within ? cachedChannel(client, within) : undefined, me.id),
  )
  const found = useFound(asked, isFilterTyped)
  const { results, isBusy, error, excess, retry } = found
  const sought = useDeferredValue(text)
  const destinations = useDestinations(sought, onClose)
  const open = useOpenResult({ query, asked, onFile, onClose })

  const hasQuery = query.trim() !== ''
  // Filters apply only to messages and files.
  const places = chips.length > 0 || isFilterTyped ? [] : (destinations ?? [])
  const recent = hasQuery ? [] : recentSearches(me.id)
  const locationOf = ({ metadata, location }: SearchResult) => {
    const channel = cachedChannel(client, metadata.channelId)
    if (channel) return titleOf(channel, me.id)
    return location === 'Files' ? t('files.everyone') : location
  }
  const rowsOf = (type: SearchResult['type']) =>
    results
      .filter((result) => result.type === type)
      .map((result) => resultRow(result, locationOf(result), () => open(result)))
  const groups = [
    { name: filterGroup(filterName), rows: filterRows },
    {
      name: hasQuery ? t('search.group.places') : t('search.group.recentPlaces'),
      rows: places.map((destination) => destinationRow(destination, text)),
    },
    { name: t('search.group.recent'), rows: recent.map((text) => recentRow(text, () => replace(finished(text)))) },
    { name: t('search.group.messages'), rows: rowsOf('message') },
    { name: t('search.group.files'), rows: rowsOf('file') },
  ]
  const hasRows = groups.some(({ rows }) => rows.length > 0)

  function emptyNote() {
    if (excess > 0) return <TooLong excess={excess} />
    if (isBusy || !destinations) return null
    if (error) return <Failed retry={retry} />
    return <NothingFound onEverywhere={chips.length > 0 ? () => replace(text) : undefined} />
  }

  return (
    <SearchDialog
      query={query}
      edited={edited}
      onEdit={write}
      chips={chips}
      filters={filterButtons()}
      groups={groups}
      startId={restored?.id}
      isBusy={isBusy}
      isSettled={sought === text}
      empty={emptyNote()}
      end={<ListEnd found={found} hasFailed={error !== null && !isFilterTyped && hasRows} />}
      note={found.note}
      onClose={onClose}
    />
  )
}

/** Below the results: what is being fetched, or that fetching failed. */
function ListEnd({ found, hasFailed }: { found: ReturnType<typeof useFound>; hasFailed: boolean }) {
  const { results, isBusy, hasMore, fetchMore, retry } = found
  if (hasMore) return <ScrollSentinel key={results.length} onNear={fetchMore} />
  if (results.length > 0) return null
  if (isBusy) return <SkeletonRows />
  return hasFailed && <Failed retry={retry} />
}

/** What is offered for a filter that is being typed. */
function filterGroup(name: FilterName | undefined) {
  if (name === 'from') return t('search.group.people')
  // Direct messages are places as well.
  return name === 'in' ? t('search.group.places') : t('search.group.filters')
}

/** The filter for one conversation; a direct message is named by its members. */
function filterFor(channel: Channel | undefined, me: string) {
  if (!channel) return ''
  return `${filterText('in', channel.kind === 'direct' ? directValue(channel, me) : channel.name)} `
}

const resultRow = (result: SearchResult, location: string, act: () => void): SearchRow => ({
  id: result.id,
  act,
  content:
    result.type === 'file' ? (
      <FileResult result={result} location={location} />
    ) : (
      <MessageResult result={result} location={location} />
    ),
})

const destinationRow = (destination: Destination, query: string): SearchRow => ({
  id: destination.id,
  act: destination.go,
  content: <DestinationRow destination={destination} query={query} />,
})

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
