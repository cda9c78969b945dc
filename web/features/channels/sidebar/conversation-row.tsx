import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import type { Channel } from '#contract/channels'
import { paths } from '../../../paths.ts'
import { useLongPress } from '../../../ui/device/long-press.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { isUnread, notificationCount } from '../cache/unread.ts'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import { useChannelMenu } from '../menu/use-channel-menu.tsx'

interface Props {
  channel: Channel
  /** What its menu is called by. */
  name: string
  onAct: (act: ChannelAct, channelId: string) => void
  children: ReactNode
}

/**
 * A row of the sidebar: it leads to the conversation. Its menu appears on hover and focus, where the count stands; under
 * a finger it stands in the row of the open conversation, and in every row a long press opens it.
 */
export function ConversationRow({ channel, name, onAct, children }: Props) {
  const { open, trigger, menu } = useChannelMenu(channel, name, onAct)
  const press = useLongPress((link) => void open(link))
  const { isMember, muted, unread = 0 } = channel
  const ink = !isMember || muted ? 'text-faint' : unread > 0 ? 'font-[600] text-ink' : 'text-soft'
  return (
    <div
      className="group/row relative"
      data-unread={notificationCount(channel) > 0 ? 'calls' : isUnread(channel) ? 'some' : undefined}
    >
      <NavLink
        to={paths.channel(channel.id)}
        className={({ isActive }) =>
          `group flex h-(--row) select-none items-center gap-2 rounded-s px-2 [-webkit-touch-callout:none] focus-visible:-outline-offset-2 ${isActive ? 'bg-pine-wash font-[600] text-ink' : `${ink} group-has-aria-expanded/row:bg-hover group-hover/row:bg-hover`}`
        }
        {...press}
      >
        {children}
      </NavLink>
      <IconButton
        name={`Actions for ${name}`}
        className="absolute inset-y-0 right-1.5 my-auto h-6 w-6 opacity-0 group-has-focus-visible/row:opacity-100 group-hover/row:opacity-100 aria-expanded:opacity-100 pointer-coarse:hidden pointer-coarse:opacity-100 pointer-coarse:group-has-[a[aria-current=page]]/row:grid"
        {...trigger}
      >
        <Ellipsis size={16} />
      </IconButton>
      {menu}
    </div>
  )
}
