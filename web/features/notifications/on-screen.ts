import { paths } from '../../paths.ts'
import type { AppNotification } from './notification-bus.ts'

/** Whether the conversation that calls is open in a window that somebody looks at. */
export function isConversationOnScreen({ channelId, threadId }: Pick<AppNotification, 'channelId' | 'threadId'>) {
  if (document.visibilityState !== 'visible' || !document.hasFocus()) return false
  const { pathname, search } = location
  if (pathname.toLowerCase() !== paths.channel(channelId)) return false
  return threadId === null || new URLSearchParams(search).get('thread')?.toLowerCase() === threadId
}
