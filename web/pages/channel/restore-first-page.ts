import type { Channel } from '#contract/channels'
import type { Me } from '#contract/users'
import { queryClient } from '../../api-client/api.ts'
import { readPreference } from '../../browser/preferences.ts'
import { markUnconfirmed } from '../../browser/unconfirmed.ts'
import { allChannels, channelById, snapshotVersion } from '../../features/channels/cache/channel-queries.ts'
import { messagesIn } from '../../features/messages/sync/message-queries.ts'
import type { MessageWindow } from '../../features/messages/sync/message-window.ts'
import { readDeviceCache } from '../../ui/device/device-cache.ts'
import { storedPeople } from '../../ui/device/local-storage.ts'
import { firstChannel } from './first-channel.ts'

/** The record with what every page shows. Conversations are under the id of their channel. */
export const START = 'start'

export interface KeptStart {
  me: Me
  channels: Record<string, Channel>
  epoch: string
  peopleVersion: number
}

export interface KeptConversation {
  epoch: string
  window: MessageWindow
}

/** Reads the page that the URL shows, and its user, from the device cache; undefined if not there. Never throws. */
export async function restoreFirstPage() {
  const [person] = storedPeople()[0] ?? []
  if (!person || readPreference('keep') === 'off') return undefined
  const { channelId, linked } = firstChannel(person)
  const names = channelId ? [START, channelId] : [START]
  const [start, conversation] = (await readDeviceCache(names)) as [KeptStart?, KeptConversation?]
  if (start?.me.id !== person) return undefined

  const { me, channels, epoch, peopleVersion } = start
  // The list is older than the channel.
  if (channelId && !channels[channelId]) return undefined
  /** Catching up makes it current, as after a lost connection. */
  const fill = () => {
    markUnconfirmed()
    queryClient.setQueryData(snapshotVersion.queryKey, { epoch, peopleVersion })
    queryClient.setQueryData(allChannels.queryKey, channels)
    const channel = channelId && channels[channelId]
    if (channel) queryClient.setQueryData(channelById(channelId).queryKey, channel)
    if (channel && !linked && conversation?.epoch === epoch)
      queryClient.setQueryData(messagesIn(channelId).queryKey, conversation.window)
  }
  return { me, fill }
}
