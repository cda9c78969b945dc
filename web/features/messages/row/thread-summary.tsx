import { useSearchParams } from 'react-router'
import type { Message } from '#contract/messages'
import { Avatar } from '../../../ui/avatar.tsx'
import { useRelativeTime } from '../../../ui/format/relative-time.ts'
import type { Conversation } from '../actions/conversation-context.tsx'

/** Below a message with replies: the last repliers, the number of replies and the time of the last one. Opens the thread. */
export function ThreadSummary({ message, open }: { message: Message; open: Conversation['openThread'] }) {
  const { id, replyCount, lastRepliers, lastReplyAt, createdAt } = message
  const isOpen = useSearchParams()[0].get('thread') === id
  const last = useRelativeTime(lastReplyAt ?? createdAt)
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => open?.(id)}
      className={`relative -ml-1.5 mt-[3px] mb-0.5 flex h-7.5 max-w-full items-center gap-2 rounded-s border pr-2 pl-[5px] text-meta transition-colors hover:border-line hover:bg-paper pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-[7px] ${isOpen ? 'border-line bg-paper' : 'border-transparent'}`}
    >
      <span className="flex -space-x-[3px] *:size-5 *:rounded-s *:text-[8.5px] *:shadow-[0_0_0_2px_var(--paper)]">
        {lastRepliers.map(({ id: userId, name }) => (
          <Avatar key={userId} id={userId} name={name} />
        ))}
      </span>
      <span className="flex-none font-[600] text-pine">{replyCount === 1 ? '1 reply' : `${replyCount} replies`}</span>
      <span className="truncate text-faint">Last reply {last}</span>
    </button>
  )
}
