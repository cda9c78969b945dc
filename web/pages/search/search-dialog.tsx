import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { v4 as uuid } from 'uuid'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import type { SearchResult } from '#contract/search'
import { filterText } from '#contract/search-query'
import { cachedChannel } from '../../features/channels/cache/channel-cache.ts'
import { othersIn } from '../../features/channels/cache/channel-title.ts'
import { recentSearches, rememberSearch } from '../../features/search/recent-searches.ts'
import { FileResult, MessageResult, PlaceRow } from '../../features/search/result-rows.tsx'
import { SearchDialog, type SearchRow } from '../../features/search/search-dialog.tsx'
import { found } from '../../features/search/search-queries.ts'
import { leaveSearch, type SearchLeft, type SearchMark } from '../../features/search/searches-left.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { tooLongText } from '../../ui/format/too-long.ts'
import { useDebounced } from '../../ui/input/use-debounced.ts'
import { ScrollSentinel } from '../../ui/list/scroll-sentinel.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { useFilterRows } from './search-filters.tsx'
import { usePlaces } from './search-places.tsx'

interface Props {
  /** What was left by going to a result, and is come back to. */
  left: SearchLeft | undefined
  /** The channel to look in; anything else can be written instead. */
  within: string | undefined
  onFile: (fileId: string) => void
  onClose: () => void
}

/** Finds people, channels, messages and files, and goes there. */
export default function Search({ left, within, onFile, onClose }: Props) {
  const me = useMe()
  const client = useQueryClient()
  const navigate = useNavigate()
  const location = useLocation()
  const [query, setQuery] = useState(
    () => left?.query ?? filterFor(within ? cachedChannel(client, within) : undefined, me.id),
  )
  const [caret, setCaret] = useState(query.length)
  const excess = query.trim().length - limits.search.query
  const typed = useDebounced(excess > 0 ? '' : query.trim())
  const sought = useDeferredValue(query)
  const places = usePlaces(sought, onClose)
  const { data, error, isFetching, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    found(typed),
  )
  useEffect(() => {
    if (error) console.error('Search error:', error)
  }, [error])

  function write(next: string, at = next.length) {
    setQuery(next)
    setCaret(at)
  }

  function go(result: SearchResult) {
    rememberSearch(me.id, query.trim())
    onClose()
    if (result.type === 'file') return onFile(result.id)
    const { channelId, messageId } = result.metadata
    // Going back leads to this row again.
    const mark: SearchMark = { person: me.id, key: uuid(), id: result.id }
    leaveSearch(mark, query)
    const state = { ...location.state, search: mark }
    void navigate(location, { replace: true, state })
    void navigate(`${paths.channel(channelId)}?message=${messageId}`, { state: { messageId } })
  }

  const isAsked = query.trim() !== ''
  // What was found for the text before is not what is meant now.
  const isCurrent = typed === query.trim()
  const results = isAsked && isCurrent && data ? data.pages.flatMap((page) => page.results) : []
  const rowOf = (result: SearchResult): SearchRow => ({
    id: result.id,
    act: () => go(result),
    content: result.type === 'file' ? <FileResult result={result} /> : <MessageResult result={result} />,
  })
  const recent = isAsked ? [] : recentSearches(me.id)
  const groups = [
    { name: 'FILTERS', rows: useFilterRows(query, caret, write) },
    {
      name: 'CHANNELS AND PEOPLE',
      rows: (places ?? []).map((place) => ({
        id: place.id,
        act: place.go,
        content: <PlaceRow place={place} query={query} />,
      })),
    },
    { name: 'RECENT SEARCHES', rows: recent.map((text) => recentRow(text, () => write(text))) },
    { name: 'MESSAGES', rows: results.filter(({ type }) => type === 'message').map(rowOf) },
    { name: 'FILES', rows: results.filter(({ type }) => type === 'file').map(rowOf) },
  ]
  const isBusy = isAsked && excess <= 0 && (isFetching || !isCurrent)
  const took = data?.pages[0]?.took
  const count = `${results.length}${hasNextPage ? '+' : ''} ${results.length === 1 ? 'result' : 'results'}`

  function emptyNote() {
    if (excess > 0) return <TooLong excess={excess} />
    if (isBusy || !places) return null
    return error ? <Failed retry={() => void refetch()} /> : 'No results found'
  }

  return (
    <SearchDialog
      query={query}
      onQuery={write}
      groups={groups}
      startId={left?.id}
      isBusy={isBusy}
      isSettled={sought === query}
      caret={caret}
      empty={emptyNote()}
      end={
        <>
          {isBusy && results.length === 0 && <SkeletonRows />}
          {error && !isBusy && results.length === 0 && groups.some(({ rows }) => rows.length > 0) && (
            <Failed retry={() => void refetch()} />
          )}
          {isAsked && hasNextPage && !isFetchingNextPage && (
            <ScrollSentinel key={results.length} onNear={() => void fetchNextPage()} />
          )}
        </>
      }
      note={isAsked && !isBusy && took !== undefined ? `${count} in ${took} ms` : 'from: in: before: after: has:'}
      onClose={onClose}
    />
  )
}

/** What looks in one conversation only; a direct message is named by its people. */
function filterFor(channel: Channel | undefined, me: string) {
  if (!channel) return ''
  const people = othersIn(channel, me).map(({ username }) => username)
  return `${filterText('in', channel.kind === 'direct' ? `@${people.sort().join(',')}` : channel.name)} `
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

const TooLong = ({ excess }: { excess: number }) => (
  <p role="alert" className="text-danger">
    {tooLongText(excess)}
  </p>
)

function Failed({ retry }: { retry: () => void }) {
  return (
    <p role="alert" className="px-4 py-2 text-center text-danger text-ui">
      The search failed.{' '}
      <button type="button" className="font-[600] text-pine hover:underline" onClick={retry}>
        Try again
      </button>
    </p>
  )
}
