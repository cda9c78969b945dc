import { useQueryClient } from '@tanstack/react-query'
import { Bell, BellOff, LogOut, PenLine, Trash2, UserPlus, Users } from 'lucide-react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { muteChannel, unmuteChannel } from '#contract/members'
import { call } from '../../../api-client/api.ts'
import { useMe } from '../../../me.tsx'
import { isTouch, wideScreen } from '../../../ui/device/media.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { Menu, MenuItem } from '../../../ui/menu/menu.tsx'
import { applyMuted } from '../cache/channel-events.ts'

/** What leads to a dialog. */
export type ChannelAct = 'members' | 'invite' | 'edit' | 'leave' | 'delete'

interface Props {
  channel: Channel
  name: string
  anchor: HTMLElement
  onAct: (act: ChannelAct, channelId: string) => void
  onClose: () => void
}

const isSheet = isTouch() && !wideScreen().matches

/** What I may do with a channel; under a thumb on a phone. Load it lazily. */
export default function ChannelMenu({ channel, name, anchor, onAct, onClose }: Props) {
  const me = useMe()
  const client = useQueryClient()
  const { id, kind, isMember, isGeneral, muted } = channel
  const canLeave = isMember && can.leave(me, channel)
  const canDelete = can.deleteChannel(me, channel)
  const act = (what: ChannelAct) => () => onAct(what, id)

  async function mute() {
    try {
      await call(muted ? unmuteChannel : muteChannel, { params: { channelId: id } })
      applyMuted(client, { channelId: id, muted: !muted })
    } catch (error) {
      const text = muted ? 'Failed to unmute channel' : 'Failed to mute channel'
      console.error(`${text}:`, error)
      showToast(text)
    }
  }

  return (
    <Menu name={`Actions for ${name}`} anchor={anchor} align="start" isSheet={isSheet} onClose={onClose}>
      {kind !== 'direct' && (
        <MenuItem Icon={Users} onClick={act('members')}>
          Members
        </MenuItem>
      )}
      {/* Of the channel that everyone is in nobody is missing. */}
      {can.inviteTo(channel) && !isGeneral && (
        <MenuItem Icon={UserPlus} onClick={act('invite')}>
          Invite
        </MenuItem>
      )}
      {isMember && (
        <MenuItem Icon={muted ? Bell : BellOff} onClick={() => void mute()}>
          {muted ? 'Unmute' : 'Mute'}
        </MenuItem>
      )}
      {can.editChannel(me, channel) && (
        <MenuItem Icon={PenLine} onClick={act('edit')}>
          Edit channel
        </MenuItem>
      )}
      {(canLeave || canDelete) && <hr className="-mx-1 my-1 border-line" />}
      {canLeave && (
        <MenuItem Icon={LogOut} isDanger onClick={act('leave')}>
          Leave
        </MenuItem>
      )}
      {canDelete && (
        <MenuItem Icon={Trash2} isDanger onClick={act('delete')}>
          Delete
        </MenuItem>
      )}
    </Menu>
  )
}
