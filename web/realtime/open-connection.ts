import type { QueryClient } from '@tanstack/react-query'
import type { Payload, ServerEvent } from '#contract/events'
import { queryClient } from '../api-client/api.ts'
import { confirm, isUnconfirmed } from '../browser/unconfirmed.ts'
import { setPageIdle } from '../cache/means-me.ts'
import { cachedChannel, dropChannel } from '../features/channels/cache/channel-cache.ts'
import { snapshotVersion } from '../features/channels/cache/channel-queries.ts'
import { heldRevs, refetchIfBehind } from '../features/channels/cache/channel-revision.ts'
import { createAuthorRenames } from '../features/messages/sync/author-renames.ts'
import { createChannelSync } from '../features/messages/sync/channel-sync.ts'
import { refetchPins } from '../features/messages/sync/pin-queries.ts'
import { applyThreadUpdate } from '../features/threads/thread-list.ts'
import { type ChannelRev, createChannelStream } from '../socket/channel-stream.ts'
import { createSocket, keepConnected } from '../socket/connection.ts'
import { trackIdleness } from '../socket/idle.ts'
import type { ChatSocket } from '../socket/socket-context.ts'
import { createCatchUp } from './catch-up.ts'
import { handlers, type Live, updates } from './event-handlers.ts'

/** How long the live connection may take to confirm data from the device cache. */
const CONFIRMATION_DELAY_MS = 2000

/** An event that moves a channel to its next revision. */
interface OrderedEvent extends ChannelRev {
  apply: () => void
}

function createSidebarStream(client: QueryClient) {
  const stream = createChannelStream<OrderedEvent>({
    heldRevs: (channelId) => heldRevs(client, channelId),
    // Readers who are not members receive public events only.
    isComplete: (channelId) => cachedChannel(client, channelId)?.isMember ?? false,
    apply: (event) => event.apply(),
    onGap: (latest, waiting) => {
      for (const event of waiting) event.apply()
      refetchIfBehind(client, latest)
      refetchPins(client, latest.channelId)
      // Fetched only once, because an older database never reaches it.
      stream.forget(latest.channelId)
    },
  })
  return stream
}

/** Applies all events of a socket to a user's cache. Returns a function that stops it. */
export function applyEvents(client: QueryClient, socket: ChatSocket, me: string) {
  const held = client.getQueryData(snapshotVersion.queryKey)
  const sync = createChannelSync({
    client,
    onGone: (channelId) => dropChannel(client, channelId),
    onOtherDatabase: () => sidebar.forgetAll(),
    onSynced: () => confirm('messages'),
    heldEpoch: held?.epoch,
  })
  // Confirms data from the device cache even without a live connection.
  const confirmation = setTimeout(() => {
    if (!isUnconfirmed() || !held) return
    sync.resume(held.epoch)
    void catchUp.confirmKept(held)
  }, CONFIRMATION_DELAY_MS)
  const authorRenames = createAuthorRenames(client)
  const catchUp = createCatchUp(client, me)
  const sidebar = createSidebarStream(client)
  const announce = (latest: ChannelRev) => {
    sidebar.announce(latest)
    sync.announce(latest)
  }
  const live: Live = { sync, announce, authorRenames, catchUp, unsettledLeaves: new Map() }
  const receive = <E extends ServerEvent>(event: E, payload: Payload<E>) => {
    const update = updates[event]?.(payload)
    const apply = () => {
      if (update) applyThreadUpdate(client, update, me)
      for (const handle of handlers[event]) handle(client, payload, me, live)
    }
    if (!update) return apply()
    const { channelId, rev } = update
    sidebar.receive({ channelId, rev, apply })
    sync.receive(update)
  }
  for (const event of Object.keys(handlers) as ServerEvent[])
    socket.on(event, ((payload: Payload<typeof event>) => receive(event, payload)) as never)
  socket.on('disconnect', catchUp.pause)
  socket.onAnyOutgoing((event, channelId) => {
    if (event === 'channel:leave') live.unsettledLeaves.set(channelId, false)
  })
  return () => {
    clearTimeout(confirmation)
    sidebar.forgetAll()
    sync.end()
    authorRenames.end()
    catchUp.end()
  }
}

/** Opens the live connection of a user. Returns its socket and a function that ends it. */
export function openConnection(me: string) {
  const idleness = trackIdleness(me)
  const noteIdle = () => setPageIdle(idleness.isIdle())
  noteIdle()
  idleness.watch(noteIdle)
  const socket = createSocket(idleness)
  const stopApplying = applyEvents(queryClient, socket, me)
  const disconnect = keepConnected(socket, idleness)
  const end = () => {
    disconnect()
    idleness.end()
    stopApplying()
  }
  return { socket, end }
}
