import { useQuery } from '@tanstack/react-query'
import { useMatch } from 'react-router'
import { can } from '#contract/can'
import { allChannels } from '../../../features/channels/cache/channel-queries.ts'
import { titleOf } from '../../../features/channels/cache/channel-title.ts'
import { UploadDialog } from '../../../features/files/upload-dialog.tsx'
import { useMe } from '../../../me.tsx'
import { paths } from '../../../paths.ts'

/** Offers the open conversation as a destination. */
export default function Upload({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const channelId = useMatch(paths.channel(':channelId'))?.params.channelId
  const { data: channels } = useQuery(allChannels)
  const channel = channels?.[channelId ?? '']
  const conversation =
    channel && can.uploadTo(channel) ? { channelId: channel.id, title: titleOf(channel, me.id) } : undefined
  return <UploadDialog conversation={conversation} onClose={onClose} />
}
