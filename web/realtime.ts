import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Payload, type ServerEvent, serverEvents } from '#contract/events'
import { queryClient } from './api.ts'
import { addChannel, countMember, refreshChannels } from './features/channels/channel-queries.ts'
import { addMessage, catchUp } from './features/messages/message-queries.ts'
import { sendWaiting } from './features/messages/outbox.ts'
import { type ChatSocket, createSocket, keepConnected } from './socket.ts'

/** Each event names the function of the feature that brings it into the cache; a missing entry does not compile. */
const handlers: { [E in ServerEvent]: (client: QueryClient, payload: Payload<E>) => void } = {
  ready: (client) => {
    void refreshChannels(client)
    void catchUp(client).catch((error) => console.error('Could not catch up:', error))
    sendWaiting()
  },
  'channel:created': addChannel,
  'channel:member_joined': countMember,
  'channel:joined': nothing,
  'channel:left': nothing,
  'channel:error': nothing,
  'message:created': addMessage,
  'auth:token_expired': nothing,
}

/** What the page that asked listens for itself, or socket.ts. */
function nothing() {}

function listen(socket: ChatSocket, client: QueryClient) {
  for (const event of Object.keys(serverEvents) as ServerEvent[]) {
    socket.on(event, ((payload: never) => handlers[event](client, payload)) as never)
  }
}

/** Opens the live connection for as long as the page that calls it stands. */
export function useLiveConnection() {
  const [socket, setSocket] = useState<ChatSocket>()
  useEffect(() => {
    let end = () => {}
    let wanted = true
    createSocket().then(
      (created) => {
        if (!wanted) return
        listen(created, queryClient)
        end = keepConnected(created)
        setSocket(created)
      },
      (error) => console.error('The live connection could not be opened:', error),
    )
    return () => {
      wanted = false
      end()
      setSocket(undefined)
    }
  }, [])
  return socket
}
