import { Link, useSearchParams } from 'react-router'
import type { Message } from '#contract/messages'
import { t } from '../../../i18n/text.ts'
import { paths } from '../../../paths.ts'
import { Faces } from '../../../ui/faces.tsx'
import { useRelativeTime } from '../../../ui/format/relative-time.ts'
import type { Conversation } from '../actions/conversation-context.tsx'

const look =
  'relative -ms-1.5 mt-[3px] mb-0.5 flex h-7.5 w-fit max-w-full items-center gap-2 rounded-s border pe-2 ps-[5px] text-meta transition-colors hover:border-line hover:bg-paper pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-[7px]'

/** Below a message with replies: the last repliers, the number of replies and the time of the last one. Opens the thread. */
export function ThreadSummary({ message, open }: { message: Message; open: Conversation['openThread'] }) {
  const isOpen = useSearchParams()[0].get('thread') === message.id
  return (
    <button
      type="button"
      data-thread-line=""
      aria-expanded={isOpen}
      onClick={() => open?.(message.id)}
      className={`${look} ${isOpen ? 'border-line bg-paper' : 'border-transparent'}`}
    >
      <Replies message={message} />
    </button>
  )
}

/** The same for other pages: links to the thread beside its channel. */
export const ThreadLink = ({ message }: { message: Message }) => (
  <Link to={`${paths.channel(message.channelId)}?thread=${message.id}`} className={`${look} border-transparent`}>
    <Replies message={message} />
  </Link>
)

function Replies({ message: { replyCount, lastRepliers, lastReplyAt, createdAt } }: { message: Message }) {
  const last = useRelativeTime(lastReplyAt ?? createdAt)
  return (
    <>
      <Faces of={lastRepliers} size="s" />
      <span className="flex-none font-[600] text-pine">{t('messages.thread.count', { count: replyCount })}</span>
      <span className="truncate text-faint">{t('messages.thread.lastReply', { time: last })}</span>
    </>
  )
}
