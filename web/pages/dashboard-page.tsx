import { useQuery } from '@tanstack/react-query'
import { Navigate, useOutletContext } from 'react-router'
import { ChannelHeader } from '../features/channels/channel-header.tsx'
import { sharedChannels } from '../features/channels/channel-queries.ts'
import { lastChannel } from '../features/channels/last-channel.ts'
import { useMe } from '../me.tsx'
import { paths } from '../paths.ts'
import { Notice } from '../ui/notice.tsx'
import type { FrameContext } from './workspace-page.tsx'

/** Goes on to the channel that was open last, or to #general. */
export function DashboardPage() {
  const me = useMe()
  const { showSidebar } = useOutletContext<FrameContext>()
  const { data: channels } = useQuery(sharedChannels)
  const last = lastChannel(me.id)
  const target =
    channels?.find(({ id }) => id === last) ??
    channels?.find(({ name, isMember }) => isMember && name === 'general') ??
    channels?.find(({ isMember }) => isMember)

  if (target) return <Navigate to={paths.channel(target.id)} replace />
  return (
    <>
      <ChannelHeader channel={undefined} onBack={showSidebar} />
      {channels && <Notice title="Select a channel to start chatting" />}
    </>
  )
}
