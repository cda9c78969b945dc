import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import type { LaterItem } from '#contract/later'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import { t } from '../../../i18n/text.ts'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { useRoving } from '../../../ui/list/roving.ts'
import { ScrollSentinel } from '../../../ui/list/scroll-sentinel.tsx'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { doneLater, isDue, myLater, savedMessages } from '../sync/later-queries.ts'
import { LaterRow, type Place } from './later-row.tsx'

interface Props {
  /** A channel that I see, by its id. */
  placeOf: (channelId: string) => Place | undefined
  /** Asks when to be reminded of an item. */
  onRemind: (item: LaterItem) => void
}

/** What I saved and my reminders, without what is done; first what is due. */
export function OpenLater(props: Props) {
  const { data: items, error, refetch } = useQuery(myLater)
  const [shown, setShown] = useState<number>(limits.later.page)
  const due = items?.filter(isDue).sort(byDueTime) ?? []
  const others = items?.filter((item) => !isDue(item)) ?? []
  const listed = [...due, ...others].slice(0, shown)
  const messages = useSavedMessages(listed)
  if (!items && error) return <LoadError text={t('later.loadFailed')} retry={() => void refetch()} />
  if (!items) return <SkeletonRows />
  const rowsOf = (group: readonly LaterItem[]) => listed.filter((item) => group.includes(item))
  return (
    <Region>
      {items.length === 0 && <Notice title={t('later.none')}>{t('later.noneText')}</Notice>}
      <Group title={t('later.due')} isTitled items={rowsOf(due)} {...props} messages={messages} />
      <Group title={t('later.saved')} isTitled={due.length > 0} items={rowsOf(others)} {...props} messages={messages} />
      {shown < items.length && <ScrollSentinel key={shown} onNear={() => setShown(shown + limits.later.page)} />}
      {messages.retry && <LoadError text={t('later.loadFailed')} retry={messages.retry} isRetried />}
    </Region>
  )
}

/** What I have done, last first. */
export function DoneLater(props: Props) {
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(doneLater)
  const items = data?.pages.flatMap((page) => page.items)
  const messages = useSavedMessages(items ?? [])
  if (!items && error) return <LoadError text={t('later.loadFailed')} retry={() => void refetch()} />
  if (!items) return <SkeletonRows />
  return (
    <Region>
      {items.length === 0 && <Notice title={t('later.noneDone')}>{t('later.noneDoneText')}</Notice>}
      <Group title={t('later.done')} isTitled={false} items={items} {...props} messages={messages} />
      {hasNextPage && !error && (
        <ScrollSentinel key={data?.pages.length} onNear={() => void (isFetching || fetchNextPage())} />
      )}
      {messages.retry && <LoadError text={t('later.loadFailed')} retry={messages.retry} isRetried />}
      {error && <LoadError text={t('later.loadFailed')} retry={() => void fetchNextPage()} isRetried />}
    </Region>
  )
}

/** Stays when the last row is gone, and then has the focus. */
function Region({ children }: { children: ReactNode }) {
  const list = useRef<HTMLElement>(null)
  useRoving(list)
  return (
    <section
      ref={list}
      aria-label={t('later.title')}
      data-region=""
      tabIndex={-1}
      className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain px-(--gutter) pb-6 outline-none"
    >
      {children}
    </section>
  )
}

interface GroupProps extends Props {
  title: string
  /** Whether the title is visible: where there is only one group, the page's is enough. */
  isTitled: boolean
  items: readonly LaterItem[]
  messages: SavedMessages
}

function Group({ title, isTitled, items, messages, placeOf, onRemind }: GroupProps) {
  if (items.length === 0) return null
  return (
    <section aria-label={title} className="ms-(--side) max-w-[calc(var(--column)-2*var(--gutter))] pt-2">
      <h2 className={isTitled ? 'pt-2 pb-1 font-[600] text-soft text-ui' : 'sr-only'}>{title}</h2>
      <ul>
        {items.map((item) => {
          const message = messages.of(item)
          const place = message ? placeOf(message.channelId) : undefined
          return <LaterRow key={item.id} item={item} message={message} place={place} onRemind={onRemind} />
        })}
      </ul>
    </section>
  )
}

interface SavedMessages {
  /** The message of an item; null if it is gone for me, undefined while it loads or if there is none. */
  of: (item: LaterItem) => Message | null | undefined
  /** Loads what failed to load again. */
  retry: (() => void) | undefined
}

/** The messages of items, fetched in pages: only those of new items when the items change. */
function useSavedMessages(items: readonly LaterItem[]): SavedMessages {
  const [pages, setPages] = useState<string[][]>([])
  const known = new Set(pages.flat())
  const missing = items.flatMap(({ messageId }) => (messageId === null || known.has(messageId) ? [] : [messageId]))
  if (missing.length > 0) setPages([...pages, ...pagesOf([...new Set(missing)])])
  const results = useQueries({ queries: pages.map(savedMessages) })
  const found = new Map(results.flatMap(({ data = [] }) => data.map((message) => [message.id, message])))
  const loaded = new Set(pages.flatMap((ids, n) => (results[n]?.data ? ids : [])))
  const failed = results.filter(({ data, error }) => error && !data)
  return {
    of: ({ messageId }) =>
      messageId === null ? undefined : (found.get(messageId) ?? (loaded.has(messageId) ? null : undefined)),
    retry: failed.length > 0 ? () => failed.forEach(({ refetch }) => void refetch()) : undefined,
  }
}

const pagesOf = (ids: string[]) =>
  Array.from({ length: Math.ceil(ids.length / limits.later.page) }, (_, n) =>
    ids.slice(n * limits.later.page, (n + 1) * limits.later.page),
  )

/** The latest first. */
const byDueTime = (a: LaterItem, b: LaterItem) => ((a.dueAt ?? '') < (b.dueAt ?? '') ? 1 : -1)
