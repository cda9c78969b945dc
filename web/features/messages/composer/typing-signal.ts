import { useCallback, useRef } from 'react'
import { useSocket } from '../../../socket/socket-context.ts'

/** Milliseconds: what others are told lasts a little longer. */
const EVERY = 3000

/** Tells others that one writes in a place, for as long as there is something in the box. */
export function useTypingSignal(channelId: string, threadId: string | null) {
  const socket = useSocket()
  const told = useRef(Number.NEGATIVE_INFINITY)
  return useCallback(
    (text: string) => {
      const now = performance.now()
      if (text.trim() === '') told.current = Number.NEGATIVE_INFINITY
      // Without a connection it would be told later, when it is not true any more.
      else if (socket?.connected && now - told.current >= EVERY) {
        told.current = now
        socket.emit('typing', { channelId, ...(threadId && { threadId }) })
      }
    },
    [socket, channelId, threadId],
  )
}
