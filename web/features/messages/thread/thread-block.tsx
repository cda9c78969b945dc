import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import type { FollowedThread } from '#contract/threads'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { useIsInView } from '../../../ui/list/in-view.ts'
import { useReadToEnd } from '../list/window-focus.ts'
import { usePending } from '../outbox/outbox.ts'
import { ThreadLink } from '../row/thread-summary.tsx'
import { holdReplies, loadOlder, messagesIn } from '../sync/message-queries.ts'
import { PendingPreview, PreviewRow } from './preview-row.tsx'
import { ReplyField } from './reply-field.tsx'
import { firstShownSeq, shownFrom } from './shown-replies.ts'

interface Props {
  thread: FollowedThread
  /** Undefined while it loads. */
  channel: Channel | undefined
  /** Whether I can no longer read it; only my unsent reply is left. */
  isEnded: boolean
  /** Whether I may only read it. */
  isSilent: boolean
  /** Called with the `seq` of the newest reply when that is on screen with all unread ones, and the page has the focus. */
  onSeen: (seq: number) => void
}

/** A thread in the list of threads: its parent, its last replies, and a field to reply in. */
export function ThreadBlock({ thread, channel, isEnded, isSilent, onSeen }: Props) {
  const { threadId } = thread
  return (
    <div className="rounded-l border border-line px-(--gutter) pt-2 pb-1 empty:hidden">
      {!isEnded && <LastReplies thread={thread} onSeen={onSeen} />}
      {channel && can.writeIn(channel) && (
        <ReplyField channel={channel} threadId={threadId} isEnded={isEnded || isSilent} />
      )}
    </div>
  )
}

/** The parent and the last replies. */
function LastReplies({ thread, onSeen }: Pick<Props, 'thread' | 'onSeen'>) {
  const { threadId, lastReadSeq, unread } = thread
  const { parent, replies, hasOlder } = useReplies(thread)
  const me = useMe()
  const stored = new Set(replies.map(({ userId, clientId }) => userId === me.id && clientId))
  const pending = usePending(threadId).filter(({ clientId }) => !stored.has(clientId))

  const first = firstShownSeq(replies)
  const [from, setFrom] = useState(first)
  if (from === undefined && first !== undefined) setFrom(first)
  const [newFrom] = useState(unread > 0 ? lastReadSeq + 1 : Number.POSITIVE_INFINITY)
  const shown = shownFrom(replies, from ?? 0)
  const firstNew = shown.find(({ seq }) => seq >= newFrom)

  const end = useRef<HTMLDivElement>(null)
  const isEndInView = useIsInView(end)
  const isAllShown = unread === 0 || from === undefined || from <= lastReadSeq + 1
  useReadToEnd(replies.at(-1)?.seq, isEndInView && isAllShown, onSeen)

  return (
    <>
      <PreviewRow message={parent} />
      <div className="ps-12">
        {parent.replyCount > 0 && <ThreadLink message={parent} />}
        <MoreReplies
          parent={parent}
          shown={shown.length}
          first={replies[0]?.seq}
          from={from}
          hasOlder={hasOlder}
          onShow={setFrom}
        />
        {shown.map((reply) => (
          <div key={reply.id}>
            {reply === firstNew && <NewLine />}
            <PreviewRow message={reply} isReply />
          </div>
        ))}
        {pending.map((message) => (
          <PendingPreview key={message.clientId} pending={message} />
        ))}
      </div>
      <div ref={end} />
    </>
  )
}

/** The loaded replies of a thread, initially those listed with it. channel-sync.ts keeps them current. */
function useReplies(listed: FollowedThread) {
  const { parent, threadId, latestReplies } = listed
  const client = useQueryClient()
  // Before the query, which would fetch them.
  useState(() => holdReplies(client, listed))
  const { data: thread } = useQuery(messagesIn(parent.channelId, threadId))
  return {
    parent: thread?.parent ?? parent,
    replies: thread?.messages ?? latestReplies,
    hasOlder: thread?.hasOlder ?? true,
  }
}

interface MoreProps {
  parent: FollowedThread['parent']
  /** How many replies are shown. */
  shown: number
  /** The `seq` of the first reply loaded, and of the first one shown. */
  first: number | undefined
  from: number | undefined
  hasOlder: boolean
  onShow: (from: number) => void
}

/** Shows earlier replies, a page at a time. */
function MoreReplies({ parent: { id, channelId, replyCount }, shown, first, from, hasOlder, onShow }: MoreProps) {
  const client = useQueryClient()
  const [isLoading, setLoading] = useState(false)
  const more = replyCount - shown
  if (more <= 0 || from === undefined || first === undefined || (first >= from && !hasOlder)) return null

  async function show() {
    setLoading(true)
    try {
      if (hasOlder) await loadOlder(client, channelId, id)
      const held = client.getQueryData(messagesIn(channelId, id).queryKey)
      onShow(held?.messages[0]?.seq ?? 1)
    } catch (error) {
      console.error('Failed to load replies:', error)
      showToast(t('messages.thread.moreFailed'))
    } finally {
      setLoading(false)
    }
  }

  return (
    <button
      type="button"
      aria-busy={isLoading}
      disabled={isLoading}
      onClick={() => void show()}
      className="block font-[550] text-pine text-ui hover:underline disabled:opacity-60 pointer-coarse:min-h-11"
    >
      {t('messages.thread.showMore', { count: more })}
    </button>
  )
}

const NewLine = () => (
  <p className="flex items-center gap-3 pt-1.5 font-[600] text-ember text-meta">
    <span className="h-px flex-1 bg-ember/50" />
    {t('messages.list.new')}
  </p>
)
