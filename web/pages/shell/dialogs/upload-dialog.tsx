import { useQuery } from '@tanstack/react-query'
import { Hash, Lock, Users } from 'lucide-react'
import { useMatch } from 'react-router'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { allChannels } from '../../../features/channels/cache/channel-queries.ts'
import { titleOf } from '../../../features/channels/cache/channel-title.ts'
import { UploadDialog } from '../../../features/files/upload-dialog.tsx'
import { compareNames } from '../../../i18n/format.ts'
import { useMe } from '../../../me.tsx'
import { paths } from '../../../paths.ts'

/** Offers the conversations in which I may share files, the open one first. */
export default function Upload({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const openId = useMatch(paths.channel(':channelId'))?.params.channelId?.toLowerCase()
  const { data: channels = {} } = useQuery(allChannels)
  const conversations = Object.values(channels)
    .filter((channel) => can.uploadTo(me, channel))
    .map((channel) => ({ channelId: channel.id, name: nameOf(channel, me.id), Icon: iconOf(channel) }))
    .sort(
      (a, b) =>
        Number(b.channelId === openId) - Number(a.channelId === openId) ||
        Number(a.Icon === Users) - Number(b.Icon === Users) ||
        compareNames(a.name, b.name),
    )
  return (
    <UploadDialog
      conversations={conversations}
      openId={conversations.some(({ channelId }) => channelId === openId) ? openId : undefined}
      onClose={onClose}
    />
  )
}

/** Without the sign that the icon shows. */
const nameOf = (channel: Channel, me: string) => titleOf(channel, me).replace(/^[#@]/, '')

function iconOf({ kind, isPrivate }: Channel) {
  if (kind === 'direct') return Users
  return isPrivate ? Lock : Hash
}
