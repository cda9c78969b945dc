import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { CountBadge } from '../../ui/count-badge.tsx'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { plainText } from '../../ui/format/plain-text.ts'
import { useRelativeTime } from '../../ui/format/relative-time.ts'
import { useRoving } from '../../ui/list/roving.ts'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { type FollowedThread, myThreads } from './thread-queries.ts'

interface Props {
  /** The name of a channel, if known. */
  titleOf: (channelId: string) => string | undefined
}

/** The threads I follow, latest reply first. */
export function MyThreads({ titleOf }: Props) {
  const { data: threads, error, refetch } = useQuery(myThreads)
  useEffect(() => {
    if (error) console.error('Failed to load threads:', error)
  }, [error])
  if (!threads && error) return <LoadError text="Failed to load threads" retry={() => void refetch()} />
  if (!threads) return <SkeletonRows />
  if (threads.length === 0)
    return (
      <Notice title="No threads yet">
        Threads you reply to or are mentioned in appear here. To start one, choose 'Reply in thread' on a message.
      </Notice>
    )
  return <ThreadList threads={threads} titleOf={titleOf} />
}

function ThreadList({ threads, titleOf }: Props & { threads: readonly FollowedThread[] }) {
  const list = useRef<HTMLElement>(null)
  useRoving(list)
  return (
    <section
      ref={list}
      aria-label="My threads"
      data-region=""
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-[calc(var(--gutter)-14px)] py-2"
    >
      <ul className="max-w-(--measure)">
        {threads.map((thread) => (
          <ThreadItem key={thread.threadId} thread={thread} title={titleOf(thread.parent.channelId)}>
            {plainText(thread.parent.content) || thread.parent.files.map(({ name }) => name).join(', ')}
          </ThreadItem>
        ))}
      </ul>
    </section>
  )
}

interface ItemProps {
  thread: FollowedThread
  title: string | undefined
  children: ReactNode
}

function ThreadItem({ thread: { threadId, parent, unread, mentions }, title, children }: ItemProps) {
  const { user, channelId, replyCount, lastReplyAt, createdAt, deletedAt } = parent
  const last = useRelativeTime(lastReplyAt ?? createdAt)
  return (
    <li>
      <Link
        to={`${paths.channel(channelId)}?thread=${threadId}`}
        className="flex gap-3 rounded-m px-3.5 py-2.5 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
      >
        <Avatar id={user.id} name={user.name} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2 text-ui">
            <bdi className="truncate font-[620]" title={`@${user.username}`}>
              {user.name}
            </bdi>
            {title && (
              <>
                {' '}
                <bdi className="min-w-0 flex-1 truncate text-faint text-meta" title={title}>
                  {title}
                </bdi>
              </>
            )}
          </span>
          <span
            dir="auto"
            className={`line-clamp-2 [overflow-wrap:anywhere] ${textStyle(deletedAt !== null, unread > 0)}`}
          >
            {deletedAt ? 'Message deleted' : children}
          </span>
          <span className="mt-0.5 block text-faint text-meta">
            {replyCount === 1 ? '1 reply' : `${replyCount} replies`} · Last reply {last}
          </span>
        </span>
        <NewReplies unread={unread} mentions={mentions} />
      </Link>
    </li>
  )
}

function NewReplies({ unread, mentions }: Pick<FollowedThread, 'unread' | 'mentions'>) {
  if (mentions > 0) return <CountBadge count={mentions} unit={mentions === 1 ? 'mention' : 'mentions'} />
  return unread > 0 && <span className="flex-none font-[600] text-meta text-pine">{unread} new</span>
}

function textStyle(isDeleted: boolean, isUnread: boolean) {
  if (isDeleted) return 'text-faint italic'
  return isUnread ? 'font-[550] text-ink' : 'text-soft'
}
