import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Bell, BellOff, type LucideIcon, Star, StarOff } from 'lucide-react'
import { type ChannelFlag, channelFlags, flagNames } from '#contract/channel-flags'
import type { Channel } from '#contract/channels'
import { call } from '../../../api-client/api.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { MenuItem } from '../../../ui/menu/menu.tsx'
import { refetchChannel } from '../cache/channel-cache.ts'
import { applyFlags } from '../cache/channel-events.ts'

interface Item {
  name: string
  Icon: LucideIcon
  failure: string
}

const items: Record<ChannelFlag, Record<'set' | 'clear', Item>> = {
  muted: {
    set: { name: 'Mute', Icon: BellOff, failure: 'Failed to mute channel' },
    clear: { name: 'Unmute', Icon: Bell, failure: 'Failed to unmute channel' },
  },
  isFavorite: {
    set: { name: 'Add to favorites', Icon: Star, failure: 'Failed to add to favorites' },
    clear: { name: 'Remove from favorites', Icon: StarOff, failure: 'Failed to remove from favorites' },
  },
}

/** The menu's items that set and clear my flags on a channel. */
export function FlagItems({ channel }: { channel: Channel }) {
  const client = useQueryClient()
  return flagNames.map((flag) => {
    const { name, Icon } = items[flag][channel[flag] ? 'clear' : 'set']
    return (
      <MenuItem key={flag} Icon={Icon} onClick={() => void toggleFlag(client, channel, flag)}>
        {name}
      </MenuItem>
    )
  })
}

/** Optimistic: shows the change at once, and reverts it after a failure. */
async function toggleFlag(client: QueryClient, channel: Channel, flag: ChannelFlag) {
  const { id: channelId } = channel
  const isSet = channel[flag] ?? false
  const act = isSet ? 'clear' : 'set'
  applyFlags(client, { channelId, [flag]: !isSet })
  try {
    await call(channelFlags[flag][act], { params: { channelId } })
  } catch (error) {
    applyFlags(client, { channelId, [flag]: isSet })
    // The server may have stored it: the response was lost, or came too late.
    void refetchChannel(client, channelId)
    const { failure } = items[flag][act]
    console.error(`${failure}:`, error)
    showToast(failure)
  }
}
