import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { FollowedThread } from '#contract/threads'
import { t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { CountBadge } from '../../ui/count-badge.tsx'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { useHeldPosition } from '../../ui/list/held-position.ts'
import { useRoving } from '../../ui/list/roving.ts'
import { ScrollSentinel } from '../../ui/list/scroll-sentinel.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { type ShownThread, useThreads } from './use-threads.ts'

interface Props {
  /** Only those with unread replies. */
  isUnread: boolean
  /** The name of a channel, if known. */
  titleOf: (channelId: string) => string | undefined
  /** The ids of threads with unsent text. */
  written: ReadonlySet<string>
  renderThread: (shown: ShownThread) => ReactNode
}

/** The threads I follow, latest reply first when the page is opened. */
export function MyThreads({ isUnread, titleOf, written, renderThread }: Props) {
  const [focused, setFocused] = useState<string>()
  const { threads, error, refetch, fetchNextPage, hasNextPage, isFetching, data } = useThreads(
    isUnread,
    focused ? new Set([...written, focused]) : written,
  )
  if (!threads && error) return <LoadError text={t('threads.loadFailed')} retry={() => void refetch()} />
  if (!threads) return <SkeletonRows />
  if (threads.length === 0 && isUnread)
    return <Notice title={t('threads.noneUnread')}>{t('threads.noneUnreadText')}</Notice>
  if (threads.length === 0) return <Notice title={t('threads.none')}>{t('threads.noneText')}</Notice>
  return (
    <ThreadList onFocus={setFocused}>
      {threads.map(({ thread, ...shown }) => (
        <li
          key={thread.threadId}
          data-row={thread.threadId}
          // Not around the focus, whose suggestions may be larger than the row.
          className="not-focus-within:[content-visibility:auto] [contain-intrinsic-size:auto_18rem]"
        >
          <ThreadHead thread={thread} {...shown} title={titleOf(thread.parent.channelId)} />
          {renderThread({ thread, ...shown })}
        </li>
      ))}
      {hasNextPage && !error && (
        <ScrollSentinel key={data?.pages.length} onNear={() => void (isFetching || fetchNextPage())} />
      )}
      {error && <LoadError text={t('threads.loadMoreFailed')} retry={() => fetchNextPage()} isRetried />}
    </ThreadList>
  )
}

interface ListProps {
  /** Called with the id of the thread that has the focus. */
  onFocus: (threadId: string | undefined) => void
  children: ReactNode
}

function ThreadList({ onFocus, children }: ListProps) {
  const list = useRef<HTMLElement>(null)
  const lastFocused = useRef<string>(undefined)
  function onFocusIn(target: HTMLElement) {
    // A popup belongs to the thread that opened it.
    if (list.current?.contains(target)) lastFocused.current = target.closest<HTMLElement>('[data-row]')?.dataset['row']
    onFocus(lastFocused.current)
  }
  useRoving(list)
  useHeldPosition(list)
  return (
    <section
      ref={list}
      aria-label={t('threads.list')}
      data-region=""
      onFocus={({ target }) => onFocusIn(target)}
      // Switching to another window doesn't count as leaving.
      onBlur={() => document.hasFocus() && onFocus(undefined)}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-(--gutter) pb-6 [overflow-anchor:none]"
    >
      <ul className="ms-(--side) max-w-[calc(var(--column)-2*var(--gutter))]">{children}</ul>
    </section>
  )
}

interface HeadProps extends Pick<ShownThread, 'thread' | 'isGone'> {
  /** The channel's name; undefined while it is not known, or if the channel is gone. */
  title: string | undefined
}

function ThreadHead({ thread: { parent, unread, mentions }, isGone, title }: HeadProps) {
  const [lastTitle, setLastTitle] = useState(title)
  if (title && title !== lastTitle) setLastTitle(title)
  return (
    <h2 className="flex items-center gap-2 pt-5 pb-2 text-ui">
      {title ? (
        <Link
          to={paths.channel(parent.channelId)}
          className="min-w-0 truncate rounded-s font-[620] hover:underline pointer-coarse:py-3"
        >
          <bdi>{title}</bdi>
        </Link>
      ) : (
        <bdi className="min-w-0 truncate font-[620]">{lastTitle ?? t('threads.untitled')}</bdi>
      )}
      {!isGone && <NewReplies unread={unread} mentions={mentions} />}
    </h2>
  )
}

function NewReplies({ unread, mentions }: Pick<FollowedThread, 'unread' | 'mentions'>) {
  if (mentions > 0) return <CountBadge count={mentions} label={t('ui.mentionCount', { count: mentions })} />
  return (
    unread > 0 && (
      <span className="flex-none font-[600] text-meta text-pine">{t('threads.newReplies', { count: unread })}</span>
    )
  )
}
