import { useQuery } from '@tanstack/react-query'
import { Fragment, useEffect } from 'react'
import { useOutletContext, useParams } from 'react-router'
import { can } from '#contract/can'
import { ApiError } from '../api.ts'
import { ChannelHeader } from '../features/channels/channel-header.tsx'
import { channelById } from '../features/channels/channel-queries.ts'
import { JoinBar } from '../features/channels/join-bar.tsx'
import { rememberChannel } from '../features/channels/last-channel.ts'
import { Composer } from '../features/messages/composer.tsx'
import { MessagePane } from '../features/messages/message-pane.tsx'
import { useMe } from '../me.tsx'
import { useSocket } from '../socket.ts'
import { Notice } from '../ui/notice.tsx'
import type { FrameContext } from './workspace-page.tsx'

/** One channel: its header, what was said, and the box to say more. */
export function ChannelPage() {
  const channelId = (useParams()['channelId'] ?? '').toLowerCase()
  const me = useMe()
  const { showSidebar } = useOutletContext<FrameContext>()
  const { data: channel, error } = useQuery(channelById(channelId))
  useLooking(channelId)

  useEffect(() => {
    if (channel) rememberChannel(me.id, channel.id)
  }, [me.id, channel])
  useEffect(() => {
    if (!channel) return
    document.title = `#${channel.name} · Parley`
    return () => {
      document.title = 'Parley'
    }
  }, [channel])

  if (!channel && error instanceof ApiError && error.status < 500) return <MissingChannel onBack={showSidebar} />
  return (
    <>
      <ChannelHeader channel={channel} onBack={showSidebar} />
      <Fragment key={channelId}>
        <MessagePane channelId={channelId} channel={channel} />
        {channel && (can.writeIn(channel) ? <Composer channelId={channelId} /> : <JoinBar channel={channel} />)}
      </Fragment>
    </>
  )
}

function MissingChannel({ onBack }: { onBack: () => void }) {
  return (
    <>
      <ChannelHeader channel={undefined} onBack={onBack} />
      <Notice title="There is no such channel">It was deleted, or it is private and you are not in it.</Notice>
    </>
  )
}

/** Tells the server which channel is looked at, again after each connection, and after a membership that ended. */
function useLooking(channelId: string) {
  const socket = useSocket()
  useEffect(() => {
    if (!socket) return
    const look = () => void socket.emit('channel:join', channelId)
    if (socket.connected) look()
    const lookAgain = (left: { channelId: string }) => left.channelId === channelId && look()
    socket.on('ready', look)
    socket.on('channel:left', lookAgain)
    return () => {
      socket.off('ready', look)
      socket.off('channel:left', lookAgain)
      if (socket.connected) socket.emit('channel:leave', channelId)
    }
  }, [socket, channelId])
}
