import { BellOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Channel } from '#contract/channels'
import { CountBadge } from '../../../ui/count-badge.tsx'
import { notificationCount } from '../cache/unread.ts'

interface Props {
  channel: Channel
  /** Stands there whatever else does. */
  always?: ReactNode
  /** Gives way to what calls me. */
  children?: ReactNode
}

/** What stands at the end of a row: how often I am called, or something quiet. It makes room for the row's menu. */
export function RowEnd({ channel, always, children }: Props) {
  const { kind, isMember, muted, unread = 0 } = channel
  const calls = notificationCount(channel)
  return (
    <>
      {muted && <BellOff size={14} aria-label="Muted" />}
      <span className="flex min-w-3 flex-none items-center justify-end gap-2 transition-opacity group-has-focus-visible/row:opacity-0 group-has-aria-expanded/row:opacity-0 group-hover/row:opacity-0 pointer-coarse:group-aria-[current=page]:opacity-0">
        {always}
        {calls > 0 ? <CountBadge count={calls} what={kind === 'direct' ? 'unread' : wordFor(calls)} /> : children}
        {calls === 0 && unread > 0 && !muted && <span className="sr-only">, unread</span>}
      </span>
      {!isMember && <span className="sr-only">, not joined</span>}
    </>
  )
}

const wordFor = (mentions: number) => (mentions === 1 ? 'mention' : 'mentions')
