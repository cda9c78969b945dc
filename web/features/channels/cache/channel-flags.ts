import type { QueryClient } from '@tanstack/react-query'
import type { ChannelFlag } from '#contract/channel-flags'
import { patchChannel } from './channel-cache.ts'

/** What I chose last, until the server has it. */
interface Choice {
  value: boolean
  /** Whether an event said otherwise: an earlier choice of mine, or one on another device. */
  isContradicted: boolean
}

/** By `flagKey`. */
export const flagChoices = new Map<string, Choice>()

export const flagKey = (channelId: string, flag: ChannelFlag) => `${channelId} ${flag}`

export function applyFlag(client: QueryClient, channelId: string, flag: ChannelFlag, value: boolean) {
  patchChannel(client, channelId, (channel) => (channel.isMember ? { ...channel, [flag]: value } : channel))
}

/** I set or cleared flags, here or on another device. My pending choices are still shown. */
export function applyFlags(
  client: QueryClient,
  { channelId, ...flags }: { channelId: string } & Partial<Record<ChannelFlag, boolean>>,
) {
  for (const [flag, value] of Object.entries(flags) as [ChannelFlag, boolean][]) {
    const choice = flagChoices.get(flagKey(channelId, flag))
    if (choice && choice.value !== value) choice.isContradicted = true
    else applyFlag(client, channelId, flag, value)
  }
}
