import type { QueryClient } from '@tanstack/react-query'
import type { ChannelFlag } from '#contract/channel-flags'
import type { Payload } from '#contract/events'
import { patchChannel } from './channel-cache.ts'

/** My last choice, until the server has it. */
interface Choice {
  value: boolean
  /** Whether an event contradicted it: an earlier choice of mine, or one on another device. */
  isContradicted: boolean
}

/** By `flagKey`. */
export const flagChoices = new Map<string, Choice>()

export const flagKey = (channelId: string, flag: ChannelFlag) => `${channelId} ${flag}`

export function applyFlag(client: QueryClient, channelId: string, flag: ChannelFlag, value: boolean) {
  patchChannel(client, channelId, (channel) => (channel.isMember ? { ...channel, [flag]: value } : channel))
}

/** Applies what I chose to be notified of, here or on another device. */
export function applyLevel(
  client: QueryClient,
  { channelId, notificationLevel }: Payload<'channel:notification_level'>,
) {
  patchChannel(client, channelId, (channel) => (channel.isMember ? { ...channel, notificationLevel } : channel))
}

/** Applies flags that I set or cleared, here or on another device. My pending choices take precedence. */
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
