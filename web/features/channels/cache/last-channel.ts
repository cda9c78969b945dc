import { readItem, saveItem } from '../../../ui/device/local-storage.ts'

const key = (userId: string) => `parley.lastChannel.${userId}`

/** The channel this person looked at last on this device. */
export const lastChannel = (userId: string) => readItem(key(userId))

export const rememberChannel = (userId: string, channelId: string) => saveItem(key(userId), channelId)

/** It ended for them: nothing leads back to it by itself. */
export function forgetChannel(userId: string, channelId: string) {
  if (lastChannel(userId) === channelId) saveItem(key(userId))
}
