import { readTabItem, saveTabItem } from '../../ui/device/local-storage.ts'

const KEY = 'parley.welcome'

/** Whether this tab showed the first steps in a channel, so that their place is kept free while the page loads again. */
export const isWelcomePlace = (channelId: string) => readTabItem(KEY) === channelId

export const noteWelcomePlace = (channelId: string) => saveTabItem(KEY, channelId)
