import { BellOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Channel } from '#contract/channels'
import { t } from '../../../i18n/text.ts'
import { CountBadge } from '../../../ui/count-badge.tsx'
import { notificationCount } from '../cache/unread.ts'

interface Props {
  channel: Channel
  /** Always shown. */
  always?: ReactNode
  /** Shown unless there are notifications. */
  children?: ReactNode
}

/** The end of a row: the number of notifications, or something less prominent. It is hidden while the menu's button shows. */
export function RowEnd({ channel, always, children }: Props) {
  const { kind, isMember, muted, unread = 0 } = channel
  const notifications = notificationCount(channel)
  return (
    <>
      {muted && <BellOff size={14} aria-label={t('channels.row.muted')} />}
      <span className="flex min-w-3 flex-none items-center justify-end gap-2 transition-opacity group-has-focus-visible/row:opacity-0 group-has-aria-expanded/row:opacity-0 group-hover/row:opacity-0 pointer-coarse:group-aria-[current=page]:opacity-0">
        {always}
        {notifications > 0 ? (
          <CountBadge
            of={channel.id}
            count={notifications}
            label={
              kind === 'direct'
                ? t('channels.unreadCount', { count: notifications })
                : t('ui.mentionCount', { count: notifications })
            }
          />
        ) : (
          children
        )}
        {notifications === 0 && unread > 0 && !muted && <span className="sr-only">{t('channels.row.unread')}</span>}
      </span>
      {!isMember && <span className="sr-only">{t('channels.row.notJoined')}</span>}
    </>
  )
}
