import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import type { Channel } from '#contract/channels'
import { t } from '../../../i18n/text.ts'
import { paths } from '../../../paths.ts'
import { useLongPress } from '../../../ui/device/long-press.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { isUnread, notificationCount } from '../cache/unread.ts'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import { useChannelMenu } from '../menu/use-channel-menu.tsx'

interface Props {
  channel: Channel
  /** The name in the label of its menu. */
  name: string
  onAct: (act: ChannelAct, channelId: string) => void
  children: ReactNode
}

/**
 * A row of the sidebar that links to a conversation. The button of its menu replaces the count on hover and focus. On
 * touch devices it shows in the row of the open conversation, and a long press opens the menu of any row. A channel that
 * I have not joined has a button to join it instead; its menu is also in the page header.
 */
export function ConversationRow({ channel, name, onAct, children }: Props) {
  const { open, trigger, menu } = useChannelMenu(channel, name, onAct)
  const { isMember } = channel
  const press = useLongPress((link) => void open(link))
  return (
    <div className="group/row relative" data-unread={unreadKind(channel)}>
      <NavLink
        to={paths.channel(channel.id)}
        className={({ isActive }) =>
          `group flex h-(--row) select-none items-center gap-2 rounded-s px-2 [-webkit-touch-callout:none] focus-visible:-outline-offset-2 ${isMember ? '' : 'group-has-focus-visible/row:pe-14 group-hover/row:pe-14 pointer-coarse:pe-18!'} ${isActive ? 'bg-selected font-[600] text-ink' : `${textStyle(channel)} group-has-aria-expanded/row:bg-hover group-hover/row:bg-hover`}`
        }
        {...press}
      >
        {children}
      </NavLink>
      {isMember ? (
        <IconButton
          name={t('ui.actionsFor', { name })}
          className="absolute inset-y-0 end-1.5 my-auto h-6 w-6 opacity-0 group-has-focus-visible/row:opacity-100 group-hover/row:opacity-100 aria-expanded:opacity-100 pointer-coarse:hidden pointer-coarse:opacity-100 pointer-coarse:group-has-[a[aria-current=page]]/row:grid"
          {...trigger}
        >
          <Ellipsis size={16} />
        </IconButton>
      ) : (
        <button
          type="button"
          aria-label={t('channels.joinNamed', { name })}
          onClick={() => onAct('join', channel.id)}
          className="absolute inset-y-0 end-1.5 my-auto h-6 rounded-s border border-line-strong bg-paper px-2 font-[550] text-meta text-pine opacity-0 hover:bg-hover group-has-focus-visible/row:opacity-100 group-hover/row:opacity-100 after:absolute after:-inset-x-2 after:-inset-y-1.5 pointer-coarse:h-8 pointer-coarse:px-3 pointer-coarse:opacity-100"
        >
          {t('channels.join')}
        </button>
      )}
      {menu}
    </div>
  )
}

function textStyle({ isMember, muted, unread = 0 }: Channel) {
  if (!isMember) return 'text-faint group-hover/row:text-soft group-has-aria-expanded/row:text-soft'
  return unread > 0 && !muted ? 'font-[600] text-ink' : 'text-soft'
}

/** For `SidebarAids`, which finds unread rows by this attribute. */
function unreadKind(channel: Channel) {
  if (notificationCount(channel) > 0) return 'notifications'
  return isUnread(channel) ? 'some' : undefined
}
