import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Payload, type ServerEvent, serverEvents } from '#contract/events'
import type { Message } from '#contract/messages'
import { queryClient } from './api.ts'
import { addChannel, countMember, moveOn, putChannel, refreshChannels } from './features/channels/channel-queries.ts'
import { type ChannelSync, createChannelSync } from './features/messages/channel-sync.ts'
import { sendWaiting } from './features/messages/outbox.ts'
import { type ChatSocket, createSocket, keepConnected } from './socket.ts'

/** What the functions of the features work on. */
export interface Live {
  client: QueryClient
  sync: ChannelSync
  me: string
}
type Handler<E extends ServerEvent> = (live: Live, payload: Payload<E>) => void

/** Each event names the function of the feature that brings it into the cache; a missing entry does not compile. */
const handlers: { [E in ServerEvent]: Handler<E> } = {
  ready: ({ client, sync }, { epoch }) => {
    refreshChannels(client)
    sync.resume(epoch)
    sendWaiting()
  },
  'channel:created': ({ client, me }, channel) => addChannel(client, channel, me),
  'channel:member_joined': ({ client, sync, me }, joined) => {
    countMember(client, joined, me)
    sync.told(joined.channelId, joined.rev)
  },
  'channel:rev': ({ client, sync }, { channelId, rev, seq }) => {
    moveOn(client, { channelId, rev, seq })
    sync.toldRev(channelId, rev)
  },
  // Somebody who only looks heard nothing while they looked elsewhere.
  'channel:joined': ({ sync }, { channelId, rev }) => sync.toldRev(channelId, rev),
  'channel:left': nothing,
  'channel:error': (_, { error }) => console.error('Channel error:', error),
  'message:created': changed,
  'message:updated': changed,
  'message:deleted': changed,
  // socket.ts renews the token.
  'auth:token_expired': nothing,
}

function changed({ client, sync }: Live, message: Message) {
  moveOn(client, message)
  sync.told(message.channelId, message.rev, message)
}

function nothing() {}

export function listen(socket: ChatSocket, live: Live) {
  for (const event of Object.keys(serverEvents) as ServerEvent[]) {
    socket.on(event, ((payload: never) => handlers[event](live, payload)) as never)
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
          const sync = createChannelSync({
            client: queryClient,
            onChannel: (channel) => putChannel(queryClient, channel),
          })
          listen(created, { client: queryClient, sync, me })
          const disconnect = keepConnected(created)
          end = () => {
            disconnect()
            sync.end()
          }
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
