import type { QueryClient } from '@tanstack/react-query'
import { type ChannelFlag, channelFlags } from '#contract/channel-flags'
import type { Channel } from '#contract/channels'
import { call } from '../../../api-client/api.ts'
import { t } from '../../../i18n/text.ts'
import { sessionUserId } from '../../../session/session.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { refetchChannel } from '../cache/channel-cache.ts'
import { applyFlag, flagChoices, flagKey } from '../cache/channel-flags.ts'

const failures = {
  muted: { set: 'channels.muteFailed', clear: 'channels.unmuteFailed' },
  isFavorite: { set: 'channels.addFavoriteFailed', clear: 'channels.removeFavoriteFailed' },
} as const

/** Optimistic: shows the change at once, and reverts it after a failure. */
export async function toggleFlag(client: QueryClient, { id: channelId, ...channel }: Channel, flag: ChannelFlag) {
  const key = flagKey(channelId, flag)
  const value = !channel[flag]
  const isSending = flagChoices.has(key)
  flagChoices.set(key, { value, isContradicted: flagChoices.get(key)?.isContradicted ?? false })
  applyFlag(client, channelId, flag, value)
  if (!isSending) await sendUntilLatest(client, channelId, flag)
}

/** Sends one request at a time until the server has my last choice, because two could overtake each other. */
async function sendUntilLatest(client: QueryClient, channelId: string, flag: ChannelFlag) {
  const key = flagKey(channelId, flag)
  const me = sessionUserId()
  while (sessionUserId() === me) {
    const value = flagChoices.get(key)?.value ?? false
    const problem = await sendFlag(channelId, flag, value)
    const last = flagChoices.get(key)
    if (last?.value !== value) continue
    flagChoices.delete(key)
    if (problem) {
      applyFlag(client, channelId, flag, !value)
      showToast(problem)
    }
    // The server may have stored it without a response arriving, and a choice on another device may be more recent.
    if (problem || last.isContradicted) void refetchChannel(client, channelId)
    return
  }
  flagChoices.delete(key)
}

/** Returns an error text if it failed. */
async function sendFlag(channelId: string, flag: ChannelFlag, value: boolean): Promise<string | undefined> {
  const act = value ? 'set' : 'clear'
  try {
    await call(channelFlags[flag][act], { params: { channelId } })
    return undefined
  } catch (error) {
    console.error(`Failed to ${act} '${flag}' of a channel:`, error)
    return t(failures[flag][act])
  }
}
