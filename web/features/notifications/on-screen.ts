import { paths } from '../../paths.ts'
import type { AppNotification } from './notification-bus.ts'

/** Whether a conversation is open in a focused window. */
export function isConversationOnScreen({ channelId, threadId }: Pick<AppNotification, 'channelId' | 'threadId'>) {
  if (document.visibilityState !== 'visible' || !document.hasFocus()) return false
  const { pathname, search } = location
  if (pathname.toLowerCase() !== paths.channel(channelId)) return false
  return threadId === null || new URLSearchParams(search).get('thread')?.toLowerCase() === threadId
}
