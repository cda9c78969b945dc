import { useCallback, useState } from 'react'
import { useSocket } from '../../../socket/socket-context.ts'
import { typingPace } from './typing-pace.ts'

/** Publishes that I am typing, as long as the composer is not empty. */
export function useTypingSignal(channelId: string, threadId: string | null) {
  const socket = useSocket()
  const [isDue] = useState(typingPace)
  return useCallback(
    (text: string) => {
      // Socket.IO would buffer the event while offline and send it when it is stale.
      if (socket && isDue(text, performance.now(), socket.connected))
        socket.emit('typing', { channelId, ...(threadId && { threadId }) })
    },
    [socket, isDue, channelId, threadId],
  )
}
