import type { QueryClient } from '@tanstack/react-query'
import type { ServerEvent } from '#contract/events'
import { queryClient } from '../api-client/api.ts'
import { dropChannel } from '../features/channels/cache/channel-cache.ts'
import { createAuthorRenames } from '../features/messages/sync/author-renames.ts'
import { createChannelSync } from '../features/messages/sync/channel-sync.ts'
import { createSocket, keepConnected } from '../socket/connection.ts'
import type { ChatSocket } from '../socket/socket-context.ts'
import { createCatchUp } from './catch-up.ts'
import { handlers, type Live } from './event-handlers.ts'

/** Applies everything that a socket receives to a user's cache. Returns how to stop. */
export function applyEvents(client: QueryClient, socket: ChatSocket, me: string) {
  const sync = createChannelSync({ client, onGone: (channelId) => dropChannel(client, channelId) })
  const authorRenames = createAuthorRenames(client)
  const catchUp = createCatchUp(client, me)
  const live: Live = { sync, authorRenames, catchUp, unsettledLeaves: new Map() }
  for (const event of Object.keys(handlers) as ServerEvent[]) {
    socket.on(event, ((payload: never) => {
      for (const apply of handlers[event]) apply(client, payload, me, live)
    }) as never)
  }
  socket.on('disconnect', catchUp.pause)
  socket.onAnyOutgoing((event, channelId) => {
    if (event === 'channel:leave') live.unsettledLeaves.set(channelId, false)
  })
  return () => {
    sync.end()
    authorRenames.end()
    catchUp.end()
  }
}

/** Opens the live connection of a user. Returns its socket, and how to end it. */
export function openConnection(me: string) {
  const socket = createSocket()
  const stopApplying = applyEvents(queryClient, socket, me)
  const disconnect = keepConnected(socket)
  const end = () => {
    disconnect()
    stopApplying()
  }
  return { socket, end }
}
