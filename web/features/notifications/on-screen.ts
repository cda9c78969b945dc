import { paths } from '../../paths.ts'

/** Whether the window has the focus. */
export const isWindowOnScreen = () => document.visibilityState === 'visible' && document.hasFocus()

/** Whether a conversation is open in a focused window. */
export function isConversationOnScreen({ channelId, threadId }: { channelId: string; threadId: string | null }) {
  if (!isWindowOnScreen()) return false
  const { pathname, search } = location
  if (pathname.toLowerCase() !== paths.channel(channelId)) return false
  return threadId === null || new URLSearchParams(search).get('thread')?.toLowerCase() === threadId
}
