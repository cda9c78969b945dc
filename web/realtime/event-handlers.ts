import type { QueryClient } from '@tanstack/react-query'
import type { Payload, ServerEvent } from '#contract/events'
import { queryClient } from '../api-client/api.ts'
import { type MessageUpdate, updateFromMessage, updateFromReaction } from '../cache/message-update.ts'
import { applyChannelRev, dropChannel, refetchChannel } from '../features/channels/cache/channel-cache.ts'
import { applyChannelRead } from '../features/channels/cache/channel-cursor.ts'
import * as channels from '../features/channels/cache/channel-events.ts'
import { snapshotVersion } from '../features/channels/cache/channel-queries.ts'
import { sendWaiting } from '../features/messages/outbox/outbox.ts'
import { endAloud } from '../features/messages/read-aloud/read-aloud.ts'
import { applyProgress, endProgress } from '../features/messages/sync/answer-progress.ts'
import { type AuthorRenames, createAuthorRenames } from '../features/messages/sync/author-renames.ts'
import { type ChannelSync, createChannelSync } from '../features/messages/sync/channel-sync.ts'
import { applyTyping, endTyping } from '../features/messages/sync/typing-users.ts'
import { notifyRead } from '../features/notifications/notification-bus.ts'
import * as threads from '../features/threads/thread-list.ts'
import * as users from '../people/user-queries.ts'
import { createSocket, keepConnected } from '../socket/connection.ts'
import { goLive } from '../socket/first-connection.ts'
import type { ChatSocket } from '../socket/socket-context.ts'
import { type CatchUp, createCatchUp } from './catch-up.ts'
import { notifyMe } from './notify-me.ts'

/** What the functions of the features work on. */
interface Live {
  client: QueryClient
  sync: ChannelSync
  names: AuthorRenames
  catchUp: CatchUp
  me: string
  /**
   * Channels that this socket said it stops looking at, until something later is answered; and whether 'channel:left'
   * came: that is the answer, or the membership ended at the same time, and the answer is an error that names no channel.
   */
  leaving: Map<string, boolean>
}
type Handler<E extends ServerEvent> = (live: Live, payload: Payload<E>) => void

/** Each event names the functions of the features that bring it into the cache; a missing entry does not compile. */
const handlers: { [E in ServerEvent]: Handler<E> } = {
  ready: ({ client, sync, names, catchUp, leaving }, { epoch, peopleVersion }) => {
    leaving.clear()
    // Under which the first windows were read.
    const first = client.getQueryData(snapshotVersion.queryKey)
    if (first) names.begin(first.peopleVersion)
    void catchUp.run({ epoch, peopleVersion })
    goLive()
    names.resume(peopleVersion)
    sync.resume(epoch)
    sendWaiting()
  },
  'channel:created': ({ client, me }, channel) => channels.addChannel(client, channel, me),
  'channel:updated': (live, facts) => {
    channels.applyChannelUpdate(live.client, facts)
    tell(live, { channelId: facts.id, rev: facts.rev })
  },
  'channel:member_joined': (live, joined) => {
    const { channelId, rev, user } = joined
    channels.applyJoined(live.client, joined, live.me)
    tell(live, { channelId, rev })
    users.refetchIfUnknown(live.client, user)
    if (user.id === live.me) threads.refetchThreads(live.client)
  },
  // Who leaves, hears 'channel:left' besides.
  'channel:member_left': (live, { channelId, rev, memberCount }) => {
    channels.applyMemberCount(live.client, { channelId, rev, memberCount })
    tell(live, { channelId, rev })
  },
  'channel:deleted': ({ client }, { channelId }) => {
    dropChannel(client, channelId)
    threads.dropThreads(client, channelId)
  },
  'channel:left': ({ client, leaving }, { channelId }) => {
    if (leaving.get(channelId) === false) return void leaving.set(channelId, true)
    leaving.delete(channelId)
    void refetchChannel(client, channelId)
    threads.refetchThreads(client)
  },
  'channel:joined': (live, joined) => {
    for (const [channelId, hasLeft] of live.leaving) if (hasLeft) live.leaving.delete(channelId)
    cameTo(live, joined)
  },
  'channel:rev': cameTo,
  'channel:error': ({ client, leaving }, { error }) => {
    console.error('Channel error:', error)
    // A channel that cannot be left is one that may not be read any more.
    for (const channelId of leaving.keys()) void refetchChannel(client, channelId)
    leaving.clear()
  },
  'channel:read': ({ client }, cursor) => {
    applyChannelRead(client, cursor)
    notifyRead()
  },
  'channel:muted': ({ client }, muted) => channels.applyMuted(client, muted),

  'message:created': (live, message) => {
    channels.applyMessage(live.client, message, live.me)
    endTyping(live.client, message)
    tell(live, updateFromMessage(message))
    void notifyMe(live.client, message, live.me)
  },
  'message:updated': changed,
  'message:deleted': changed,
  'thread:message_created': (live, reply) => {
    applyChannelRev(live.client, reply)
    endTyping(live.client, reply)
    tell(live, updateFromMessage(reply))
    void notifyMe(live.client, reply, live.me)
  },
  'thread:read': ({ client }, cursor) => {
    threads.applyThreadRead(client, cursor)
    notifyRead()
  },
  'reaction:added': reacted,
  'reaction:removed': reacted,
  typing: ({ client }, typing) => applyTyping(client, typing),
  'assistant:progress': (_, progress) => applyProgress(progress),

  'user:status_changed': ({ client }, status) => {
    channels.applyMemberStatus(client, status)
    users.applyUserStatus(client, status)
  },
  'user:updated': ({ client, names }, person) => {
    channels.applyMemberUpdate(client, person)
    threads.renameInThreads(client, person)
    users.applyUserUpdate(client, person)
    names.rename(person)
  },
  // socket.ts renews the token.
  'auth:token_expired': () => {},
}

/** Windows, and what the list of threads shows of their parents, follow every revision. */
function tell({ client, sync, me }: Live, told: MessageUpdate) {
  threads.applyThreadUpdate(client, told, me)
  sync.receive(told)
}

function changed(live: Live, message: Payload<'message:deleted'>) {
  channels.applyMessageChange(live.client, message, live.me)
  // Only now there is something to be told of.
  if (endProgress(message)) void notifyMe(live.client, message, live.me)
  endAloud(message)
  tell(live, updateFromMessage(message))
}

function reacted(live: Live, reaction: Payload<'reaction:added'> | Payload<'reaction:removed'>) {
  applyChannelRev(live.client, reaction)
  tell(live, updateFromReaction(reaction))
}

/** What moved the channel was perhaps not told: to whoever only looks, while they looked elsewhere. */
function cameTo({ client, sync }: Live, { channelId, rev }: Payload<'channel:joined'>) {
  channels.refetchIfBehind(client, { channelId, rev })
  sync.receiveRev(channelId, rev)
}

/** Brings everything a socket says into the cache of a person; answers how to stop. */
export function applyEvents(client: QueryClient, socket: ChatSocket, me: string) {
  const sync = createChannelSync({ client, onGone: (channelId) => dropChannel(client, channelId) })
  const names = createAuthorRenames(client)
  const catchUp = createCatchUp(client, me)
  const live: Live = { client, sync, names, catchUp, me, leaving: new Map() }
  for (const event of Object.keys(handlers) as ServerEvent[]) {
    socket.on(event, ((payload: never) => handlers[event](live, payload)) as never)
  }
  socket.on('disconnect', catchUp.pause)
  socket.onAnyOutgoing((event, channelId) => {
    if (event === 'channel:leave') live.leaving.set(channelId, false)
  })
  return () => {
    sync.end()
    names.end()
    catchUp.end()
  }
}

/** Opens the live connection of a person; answers it, and how to end it. */
export function openConnection(me: string) {
  const socket = createSocket()
  const stopKeeping = applyEvents(queryClient, socket, me)
  const disconnect = keepConnected(socket)
  const end = () => {
    disconnect()
    stopKeeping()
  }
  return { socket, end }
}
