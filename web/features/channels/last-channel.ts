const key = (userId: string) => `parley.lastChannel.${userId}`

/** The channel this person looked at last on this device. */
export const lastChannel = (userId: string) => localStorage.getItem(key(userId))

export const rememberChannel = (userId: string, channelId: string) => localStorage.setItem(key(userId), channelId)

/** It ended for them: nothing leads back to it by itself. */
export function forgetChannel(userId: string, channelId: string) {
  if (lastChannel(userId) === channelId) localStorage.removeItem(key(userId))
}
