import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useOutletContext, useSearchParams } from 'react-router'
import type { Channel } from '#contract/channels'
import type { FollowedThread } from '#contract/threads'
import { useTitle } from '../browser/tab-title.ts'
import { allChannels } from '../features/channels/cache/channel-queries.ts'
import { titleOf } from '../features/channels/cache/channel-title.ts'
import { ThreadBlock } from '../features/messages/thread/thread-block.tsx'
import { MyThreads } from '../features/threads/my-threads.tsx'
import { useReadThread } from '../features/threads/thread-cursor.ts'
import { myThreads } from '../features/threads/thread-queries.ts'
import { t } from '../i18n/text.ts'
import { useMe } from '../me.tsx'
import { Button } from '../ui/input/button.tsx'
import { Segments } from '../ui/input/segments.tsx'
import { type FrameContext, PageHeader } from './page-header.tsx'
import { readAll } from './read-all.ts'

/** The threads that I follow, each with its last replies and a field to reply in. Lazy-loaded. */
export default function ThreadsPage() {
  const me = useMe()
  const frame = useOutletContext<FrameContext>()
  const { data: channels } = useQuery(allChannels)
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
        renderThread={(thread) => <Thread thread={thread} channel={channels?.[thread.parent.channelId]} />}
      />
    </div>
  )
}

function Thread({ thread, channel }: { thread: FollowedThread; channel: Channel | undefined }) {
  const { threadId, parent } = thread
  const onSeen = useReadThread({ channelId: parent.channelId, threadId }, thread)
  return <ThreadBlock thread={thread} channel={channel} onSeen={onSeen} />
}

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
