import { Archive, ArchiveRestore, BellRing, LogIn, LogOut, PenLine, Pin, Trash2, UserPlus, Users } from 'lucide-react'
import { useNavigate } from 'react-router'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { paths } from '../../../paths.ts'
import { isTouch, wideScreen } from '../../../ui/device/media.ts'
import { Menu, MenuItem } from '../../../ui/menu/menu.tsx'
import { FlagItems } from './flag-items.tsx'

/** The acts that open a dialog, and joining. */
export type ChannelAct =
  | 'join'
  | 'members'
  | 'invite'
  | 'edit'
  | 'topic'
  | 'notifications'
  | 'archive'
  | 'leave'
  | 'delete'

interface Props {
  channel: Channel
  name: string
  anchor: HTMLElement
  onAct: (act: ChannelAct, channelId: string) => void
  onClose: () => void
}

const isSheet = isTouch() && !wideScreen().matches

/** The actions that I may take on a channel; on a phone a sheet at the bottom. Load it lazily. */
export default function ChannelMenu({ channel, name, anchor, onAct, onClose }: Props) {
  const me = useMe()
  const { id, kind, isMember, isGeneral } = channel
  const canLeave = isMember && can.leave(me, channel)
  const canDelete = can.deleteChannel(me, channel)
  const navigate = useNavigate()
  const open = (act: ChannelAct) => () => onAct(act, id)

  return (
    <Menu name={t('ui.actionsFor', { name })} anchor={anchor} align="start" isSheet={isSheet} onClose={onClose}>
      {!isMember && can.join(me, channel) && (
        <MenuItem Icon={LogIn} isMirrored onClick={open('join')}>
          {t('channels.join')}
        </MenuItem>
      )}
      {kind !== 'direct' && (
        <MenuItem Icon={Users} onClick={open('members')}>
          {t('channels.members')}
        </MenuItem>
      )}
      {/* Everyone is already in #general. */}
      {can.inviteTo(me, channel) && !isGeneral && (
        <MenuItem Icon={UserPlus} onClick={open('invite')}>
          {t('channels.invite')}
        </MenuItem>
      )}
      <MenuItem Icon={Pin} onClick={() => void navigate(paths.pins(id))}>
        {t('messages.pins.title')}
      </MenuItem>
      {isMember && (
        <MenuItem Icon={BellRing} onClick={open('notifications')}>
          {t('settings.notifications')}
        </MenuItem>
      )}
      {isMember && <FlagItems channel={channel} />}
      {can.editChannel(me, channel) && (
        <MenuItem Icon={PenLine} onClick={open('edit')}>
          {t('channels.edit')}
        </MenuItem>
      )}
      {can.archive(me, channel) && (
        <MenuItem Icon={channel.archivedAt ? ArchiveRestore : Archive} onClick={open('archive')}>
          {channel.archivedAt ? t('channels.archive.restore') : t('channels.archive.archive')}
        </MenuItem>
      )}
      {(canLeave || canDelete) && <hr className="-mx-1 my-1 border-line" />}
      {canLeave && (
        <MenuItem Icon={LogOut} isMirrored isDanger onClick={open('leave')}>
          {t('channels.leave')}
        </MenuItem>
      )}
      {canDelete && (
        <MenuItem Icon={Trash2} isDanger onClick={open('delete')}>
          {t('channels.delete')}
        </MenuItem>
      )}
    </Menu>
  )
}
