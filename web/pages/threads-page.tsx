import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useOutletContext, useSearchParams } from 'react-router'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { useTitle } from '../browser/tab-title.ts'
import { allChannels } from '../features/channels/cache/channel-queries.ts'
import { titleOf } from '../features/channels/cache/channel-title.ts'
import { silenceIn } from '../features/channels/cache/voice.ts'
import { silenceText } from '../features/channels/header/silence-text.ts'
import { useWrittenThreads } from '../features/messages/outbox/draft-list.ts'
import { ThreadBlock } from '../features/messages/thread/thread-block.tsx'
import { FollowToggle } from '../features/threads/follow-button.tsx'
import { MyThreads } from '../features/threads/my-threads.tsx'
import { rowState } from '../features/threads/row-state.ts'
import { useGoneCursor, useReadThread } from '../features/threads/thread-cursor.ts'
import { myThreads } from '../features/threads/thread-queries.ts'
import { useFollowing } from '../features/threads/use-following.ts'
import type { ShownThread } from '../features/threads/use-threads.ts'
import { rich, t } from '../i18n/text.ts'
import { useMe } from '../me.tsx'
import { paths } from '../paths.ts'
import { focusPart } from '../ui/dialog/focus-in-place.ts'
import { Button } from '../ui/input/button.tsx'
import { Segments } from '../ui/input/segments.tsx'
import { type FrameContext, PageHeader } from './page-header.tsx'
import { readAll } from './read-all.ts'

/** The threads that I follow, each with its last replies and a field to reply in. Lazy-loaded. */
export default function ThreadsPage() {
  const me = useMe()
  const frame = useOutletContext<FrameContext>()
  const { data: channels } = useQuery(allChannels)
  const written = useWrittenThreads()
  const [params, setParams] = useSearchParams()
  const isUnread = params.get('show') === 'unread'
  useTitle(t('threads.title'))
  const nameOf = (channelId: string) => {
    const channel = channels?.[channelId]
    return channel && titleOf(channel, me.id)
  }
  return (
    <div className="centers-column flex min-h-0 flex-1 flex-col">
      <PageHeader frame={frame}>
        <h1 className="font-[650] text-head tracking-[-0.01em]">{t('threads.title')}</h1>
      </PageHeader>
      <ThreadsBar isUnread={isUnread} onChange={(show) => setParams(show === 'unread' ? { show } : {})} />
      <MyThreads
        key={`${isUnread}`}
        isUnread={isUnread}
        titleOf={nameOf}
        written={written}
        renderThread={(shown) => (
          <Thread
            shown={shown}
            isWritten={written.has(shown.thread.threadId)}
            channel={channels?.[shown.thread.parent.channelId]}
          />
        )}
      />
    </div>
  )
}

interface ThreadProps {
  shown: ShownThread
  /** Undefined while it loads, and if it is gone. */
  channel: Channel | undefined
  isWritten: boolean
}

function Thread({ shown: { thread, isGone, isKept }, channel, isWritten }: ThreadProps) {
  const { threadId, parent } = thread
  const { channelId } = parent
  const onSeen = useReadThread({ channelId, threadId }, isGone ? undefined : thread)
  const isOpen = channel !== undefined && can.writeIn(channel)
  const [lastOpen, setLastOpen] = useState<Channel>()
  if (isOpen && channel !== lastOpen) setLastOpen(channel)
  const cursor = useGoneCursor(threadId, isGone && isOpen)
  const state = rowState({ isGone, isOpen, wasOpen: lastOpen !== undefined, cursor })
  const isEnded = state === 'ended' || state === 'deleted'
  const me = useMe()
  const silence = channel && isOpen ? silenceIn(channel, me, true) : undefined
  return (
    <>
      {/* Threads that are not in use disappear at once. */}
      {isKept && isEnded && (
        <Note>
          <span>
            <End isDeleted={state === 'deleted'} last={lastOpen} isListed={channel !== undefined} />{' '}
            {isWritten && rich('threads.ended.kept', { drafts: <DraftsLink /> })}
          </span>
        </Note>
      )}
      {state === 'unfollowed' && <Unfollowed channelId={channelId} threadId={threadId} />}
      {channel && silence && isWritten && <Note>{silenceText(channel, silence, me)}</Note>}
      <ThreadBlock
        thread={thread}
        channel={isEnded ? lastOpen : channel}
        isEnded={isEnded}
        isSilent={silence !== undefined}
        onSeen={onSeen}
      />
    </>
  )
}

/** Shown until I follow it again. */
function Unfollowed(thread: { channelId: string; threadId: string }) {
  const { isFollowing, toggle } = useFollowing(thread)
  if (isFollowing) return null
  // The button disappears, and a second Enter must not open the channel.
  function follow() {
    const row = document.activeElement?.closest('li')
    if (row) focusPart(row)
    toggle()
  }
  return (
    <Note>
      {t('threads.unfollowed')}
      <FollowToggle isFollowing={false} toggle={follow} />
    </Note>
  )
}

interface EndProps {
  isDeleted: boolean
  /** The channel as it was while I could write in it; undefined if I never could since the row appeared. */
  last: Channel | undefined
  isListed: boolean
}

function End({ isDeleted, last, isListed }: EndProps) {
  const me = useMe()
  if (isDeleted) return t('threads.ended.deleted')
  const channel = <bdi>{last ? titleOf(last, me.id) : t('threads.untitled')}</bdi>
  return rich(isListed ? 'threads.ended.left' : 'threads.ended.gone', { channel })
}

const DraftsLink = () => (
  <Link to={paths.drafts} className="font-[550] text-pine hover:underline">
    {t('drafts.title')}
  </Link>
)

/** Says what happened to a thread while it was in use. */
const Note = ({ children }: { children: ReactNode }) => (
  <div role="alert" className="flex flex-wrap items-center gap-x-1.5 pb-2 text-soft text-ui">
    {children}
  </div>
)

interface BarProps {
  isUnread: boolean
  onChange: (show: 'all' | 'unread') => void
}

function ThreadsBar({ isUnread, onChange }: BarProps) {
  const client = useQueryClient()
  const { data: threads = [] } = useQuery(myThreads)
  const count = threads.filter(({ unread }) => unread > 0).length
  return (
    <div className="flex min-h-12 conversation-column flex-none items-center gap-2 px-(--gutter) py-2">
      <div className="flex-1">
        <Segments
          legend={t('threads.shown')}
          name="threads-shown"
          options={[
            { value: 'all', label: t('threads.all') },
            { value: 'unread', label: count > 0 ? t('threads.unreadCount', { count }) : t('threads.unread') },
          ]}
          value={isUnread ? 'unread' : 'all'}
          onChange={onChange}
        />
      </div>
      {count > 0 && (
        <Button variant="plain" onClick={() => void readAll(client, 'threads')}>
          {t('threads.readAll')}
        </Button>
      )}
    </div>
  )
}
