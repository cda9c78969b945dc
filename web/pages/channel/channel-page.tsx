import { useEffect, useState } from 'react'
import { useLocation, useOutletContext, useParams } from 'react-router'
import { useTitle } from '../../browser/tab-title.ts'
import { titleOf } from '../../features/channels/cache/channel-title.ts'
import { rememberChannel } from '../../features/channels/cache/last-channel.ts'
import { useChannel } from '../../features/channels/cache/use-channel.ts'
import { ChannelDialogs, useChannelDialogs } from '../../features/channels/dialogs/channel-dialogs.tsx'
import { ChannelHeading } from '../../features/channels/header/channel-heading.tsx'
import { useMe } from '../../me.tsx'
import { Lazy } from '../../ui/lazy/lazy.tsx'
import { type FrameContext, PageHeader } from '../page-header.tsx'
import { ChannelConversation } from './channel-conversation.tsx'
import { ChannelThread } from './channel-thread.tsx'
import { LastAuthors } from './last-authors.tsx'
import { endedConversation } from './lazy-parts.ts'
import { useLeaveEndedChannel } from './use-leave-ended-channel.ts'
import { useOpenPanel } from './use-open-panel.ts'

/** One channel: its header, messages and composer. */
export function ChannelPage() {
  const channelId = (useParams()['channelId'] ?? '').toLowerCase()
  const me = useMe()
  const frame = useOutletContext<FrameContext>()
  const { channel, isMissing, hasFailed } = useChannel(channelId)
  const dialogs = useChannelDialogs()
  const panel = useOpenPanel(channelId)
  const { ended, isBack, reopen } = useLeaveEndedChannel(channelId, channel, isMissing)
  const { key: visit } = useLocation()
  const [missedAt, setMissedAt] = useState<string>()
  if (isMissing && missedAt !== visit) setMissedAt(visit)

  const foundId = channel?.id
  useEffect(() => {
    if (foundId) rememberChannel(me.id, foundId)
  }, [me.id, foundId])
  const shown = channel ?? ended?.channel
  useTitle(shown && titleOf(shown, me.id))

  // A missing channel is refetched now and then. Until it is found, this page stays.
  if (ended || isMissing || (missedAt === visit && !channel)) {
    const back = ended && channel && channel !== ended.channel ? channel : undefined
    return (
      <>
        <PageHeader frame={frame} isBare />
        <Lazy
          key={channelId}
          load={endedConversation}
          channelId={channelId}
          ended={ended}
          back={back}
          onBack={reopen}
        />
      </>
    )
  }
  return (
    <ChannelThread channelId={channelId} channel={channel} open={panel}>
      <PageHeader frame={frame}>
        {channel && (
          <ChannelHeading
            channel={channel}
            faces={<LastAuthors key={channelId} channelId={channelId} />}
            onAct={dialogs.open}
            onSearch={frame.searchHere}
            pins={{ areOpen: panel.arePinsOpen, toggle: panel.togglePins }}
          />
        )}
      </PageHeader>
      <ChannelConversation
        key={channelId}
        channelId={channelId}
        channel={channel}
        isUnknown={hasFailed}
        isLate={missedAt === visit}
        isBack={isBack}
        onAct={dialogs.open}
      />
      <ChannelDialogs request={dialogs.request} close={dialogs.close} />
    </ChannelThread>
  )
}
