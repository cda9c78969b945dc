import { readItem, saveItem } from '../../../ui/device/local-storage.ts'

const key = (userId: string) => `parley.lastChannel.${userId}`

/** The channel that a user opened last on this device. */
export const lastChannel = (userId: string) => readItem(key(userId))

export const rememberChannel = (userId: string, channelId: string) => saveItem(key(userId), channelId)

/** Called when the channel has ended for the user, so that it does not open again automatically. */
export function forgetChannel(userId: string, channelId: string) {
  if (lastChannel(userId) === channelId) saveItem(key(userId))
}
