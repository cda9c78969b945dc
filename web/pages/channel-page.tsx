import { Fragment, useEffect } from 'react'
import { useOutletContext, useParams } from 'react-router'
import { can } from '#contract/can'
import { ChannelHeading } from '../features/channels/channel-heading.tsx'
import { titleOf } from '../features/channels/channel-title.ts'
import { JoinBar } from '../features/channels/join-bar.tsx'
import { rememberChannel } from '../features/channels/last-channel.ts'
import { useChannel } from '../features/channels/use-channel.ts'
import { useReading } from '../features/channels/use-reading.ts'
import { Composer } from '../features/messages/composer.tsx'
import { MessagePane } from '../features/messages/message-pane.tsx'
import { useMe } from '../me.tsx'
import { Notice } from '../ui/notice.tsx'
import { useChannelDialogs } from './channel-dialogs.tsx'
import { ChannelThread } from './channel-thread.tsx'
import { PageHeader } from './page-header.tsx'
import { useDeparture } from './use-departure.ts'
import type { FrameContext } from './workspace-page.tsx'

/** One channel: its header, what was said, and the box to say more. */
export function ChannelPage() {
  const channelId = (useParams()['channelId'] ?? '').toLowerCase()
  const me = useMe()
  const { showSidebar } = useOutletContext<FrameContext>()
  const { channel, isMissing } = useChannel(channelId)
  const dialogs = useChannelDialogs()
  useDeparture(channelId, channel, isMissing)
  useReading(channel)

  const foundId = channel?.id
  useEffect(() => {
    if (foundId) rememberChannel(me.id, foundId)
  }, [me.id, foundId])
  const title = channel && titleOf(channel, me.id)
  useEffect(() => {
    if (title === undefined) return
    document.title = `${title} · Parley`
    return () => {
      document.title = 'Parley'
    }
  }, [title])

  return (
    <ChannelThread channelId={channelId} channel={channel}>
      <PageHeader onBack={showSidebar}>
        {channel && <ChannelHeading channel={channel} onAct={dialogs.open} />}
      </PageHeader>
      {isMissing ? (
        <Notice title="There is no such channel">It was deleted, or it is private and you are not in it.</Notice>
      ) : (
        <Fragment key={channelId}>
          <MessagePane channelId={channelId} channel={channel} />
          {channel && (can.writeIn(channel) ? <Composer channelId={channelId} /> : <JoinBar channel={channel} />)}
        </Fragment>
      )}
      {dialogs.shown}
    </ChannelThread>
  )
}
