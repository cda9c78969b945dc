import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Payload, type ServerEvent, serverEvents } from '#contract/events'
import { queryClient } from './api.ts'
import { addChannel, countMember, refreshChannels } from './features/channels/channel-queries.ts'
import { addMessage, catchUp, catchUpAll } from './features/messages/message-queries.ts'
import { sendWaiting } from './features/messages/outbox.ts'
import { type ChatSocket, createSocket, keepConnected } from './socket.ts'

type Handler<E extends ServerEvent> = (client: QueryClient, payload: Payload<E>, me: string) => void

/** Each event names the function of the feature that brings it into the cache; a missing entry does not compile. */
const handlers: { [E in ServerEvent]: Handler<E> } = {
  ready: (client) => {
    refreshChannels(client)
    catchUpAll(client)
    sendWaiting()
  },
  'channel:created': addChannel,
  'channel:member_joined': countMember,
  // Somebody who only looks hears nothing while they look elsewhere.
  'channel:joined': (client, { channelId }) => catchUp(client, channelId),
  'channel:left': nothing,
  'channel:error': (_, { error }) => console.error('Channel error:', error),
  'message:created': addMessage,
  // socket.ts renews the token.
  'auth:token_expired': nothing,
}

function nothing() {}

function listen(socket: ChatSocket, client: QueryClient, me: string) {
  for (const event of Object.keys(serverEvents) as ServerEvent[]) {
    socket.on(event, ((payload: never) => handlers[event](client, payload, me)) as never)
  }
}

const SOON = 5000

/** Opens the live connection of a person for as long as the page that calls it stands. */
export function useLiveConnection(me: string) {
  const [socket, setSocket] = useState<ChatSocket>()
  useEffect(() => {
    let end = () => {}
    let timer: ReturnType<typeof setTimeout>
    let wanted = true
    const open = () =>
      createSocket().then(
        (created) => {
          if (!wanted) return
          listen(created, queryClient, me)
          end = keepConnected(created)
          setSocket(created)
        },
        (error) => {
          console.error('The live connection could not be opened:', error)
          if (wanted) timer = setTimeout(open, SOON)
        },
      )
    void open()
    return () => {
      wanted = false
      clearTimeout(timer)
      end()
      setSocket(undefined)
    }
  }, [me])
  return socket
}
