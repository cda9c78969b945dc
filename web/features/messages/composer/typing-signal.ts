import { useCallback, useRef } from 'react'
import { useSocket } from '../../../socket/socket-context.ts'

/** Shorter than the time for which other clients show it. */
const TYPING_INTERVAL_MS = 3000

/** Publishes that I am typing, as long as the composer is not empty. */
export function useTypingSignal(channelId: string, threadId: string | null) {
  const socket = useSocket()
  const publishedAt = useRef(Number.NEGATIVE_INFINITY)
  return useCallback(
    (text: string) => {
      const now = performance.now()
      if (text.trim() === '') publishedAt.current = Number.NEGATIVE_INFINITY
      // Socket.IO would buffer the event while offline and send it when it is no longer true.
      else if (socket?.connected && now - publishedAt.current >= TYPING_INTERVAL_MS) {
        publishedAt.current = now
        socket.emit('typing', { channelId, ...(threadId && { threadId }) })
      }
    },
    [socket, channelId, threadId],
  )
}
