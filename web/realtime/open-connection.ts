import type { QueryClient } from '@tanstack/react-query'
import type { ServerEvent } from '#contract/events'
import { queryClient } from '../api-client/api.ts'
import { confirm, isUnconfirmed } from '../browser/unconfirmed.ts'
import { cachedChannel, dropChannel } from '../features/channels/cache/channel-cache.ts'
import { snapshotVersion } from '../features/channels/cache/channel-queries.ts'
import { createAuthorRenames } from '../features/messages/sync/author-renames.ts'
import { createChannelSync } from '../features/messages/sync/channel-sync.ts'
import { createSocket, keepConnected } from '../socket/connection.ts'
import type { ChatSocket } from '../socket/socket-context.ts'
import { createCatchUp } from './catch-up.ts'
import { handlers, type Live } from './event-handlers.ts'
import { createEventOrder } from './event-order.ts'

/** How long the live connection may take to confirm what this device kept. */
const CONFIRMATION_DELAY_MS = 2000

interface MaybeRevision {
  id?: string
  channelId?: string
  rev?: number
}

/** They begin a channel, or only name its latest revision. */
const UNORDERED = new Set<ServerEvent>(['channel:created', 'channel:joined', 'channel:rev'])

/** Applies everything that a socket receives to a user's cache. Returns how to stop. */
export function applyEvents(client: QueryClient, socket: ChatSocket, me: string) {
  const held = client.getQueryData(snapshotVersion.queryKey)
  const sync = createChannelSync({
    client,
    onGone: (channelId) => dropChannel(client, channelId),
    onSynced: () => confirm('messages'),
    heldEpoch: held?.epoch,
  })
  // What this device kept becomes true without a live connection, too.
  const confirmation = setTimeout(() => {
    if (!isUnconfirmed() || !held) return
    sync.resume(held.epoch)
    void catchUp.confirmKept(held)
  }, CONFIRMATION_DELAY_MS)
  const authorRenames = createAuthorRenames(client)
  const catchUp = createCatchUp(client, me)
  const order = createEventOrder((channelId) => {
    const channel = cachedChannel(client, channelId)
    // Readers who are not members receive public events only.
    return channel?.isMember ? channel.rev : undefined
  })
  const live: Live = { sync, authorRenames, catchUp, unsettledLeaves: new Map() }
  for (const event of Object.keys(handlers) as ServerEvent[]) {
    socket.on(event, ((payload: MaybeRevision) => {
      const applyAll = () => {
        for (const apply of handlers[event]) apply(client, payload as never, me, live)
      }
      const { id, channelId = id, rev } = payload
      if (channelId && rev && !UNORDERED.has(event)) order.receive(channelId, rev, applyAll)
      else applyAll()
    }) as never)
  }
  socket.on('disconnect', catchUp.pause)
  socket.onAnyOutgoing((event, channelId) => {
    if (event === 'channel:leave') live.unsettledLeaves.set(channelId, false)
  })
  return () => {
    clearTimeout(confirmation)
    order.end()
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
