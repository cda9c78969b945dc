import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { allChannels } from '../../../features/channels/cache/channel-queries.ts'
import { titleOf } from '../../../features/channels/cache/channel-title.ts'
import { FilesPanel } from '../../../features/files/files-panel.tsx'
import { useMe } from '../../../me.tsx'
import { paths } from '../../../paths.ts'

interface Props {
  selectedId?: string | undefined
  onClose: () => void
}

/** Names the conversations of files, and leads to their messages. */
export default function Files({ selectedId, onClose }: Props) {
  const me = useMe()
  const navigate = useNavigate()
  const { data: channels } = useQuery(allChannels)
  return (
    <FilesPanel
      selectedId={selectedId}
      placeOf={(channelId) => {
        const channel = channels?.[channelId]
        return channel && titleOf(channel, me.id)
      }}
      onMessage={(channelId, messageId) => {
        onClose()
        void navigate(`${paths.channel(channelId)}?message=${messageId}`, { state: { messageId } })
      }}
      onClose={onClose}
    />
  )
}
