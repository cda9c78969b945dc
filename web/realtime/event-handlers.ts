import type { QueryClient } from '@tanstack/react-query'
import type { Payload, ServerEvent } from '#contract/events'
import { queryClient } from '../api-client/api.ts'
import { type Told, toldOfMessage, toldOfReaction } from '../cache/message-update.ts'
import { dropChannel, moveChannel, readChannel } from '../features/channels/cache/channel-cache.ts'
import { hearRead } from '../features/channels/cache/channel-cursor.ts'
import * as channels from '../features/channels/cache/channel-events.ts'
import { numbersHeld } from '../features/channels/cache/channel-queries.ts'
import { sendWaiting } from '../features/messages/outbox/outbox.ts'
import { endAloud } from '../features/messages/read-aloud/read-aloud.ts'
import { applyProgress, endProgress } from '../features/messages/sync/answer-progress.ts'
import { type AuthorRenames, createAuthorRenames } from '../features/messages/sync/author-renames.ts'
import { type ChannelSync, createChannelSync } from '../features/messages/sync/channel-sync.ts'
import { applyTyping, endTyping } from '../features/messages/sync/typing-users.ts'
import { tellRead } from '../features/notifications/calls.ts'
import * as threads from '../features/threads/thread-list.ts'
import * as users from '../people/user-queries.ts'
import { createSocket, keepConnected } from '../socket/connection.ts'
import { goLive } from '../socket/first-connection.ts'
import type { ChatSocket } from '../socket/socket-context.ts'
import { type CatchUp, createCatchUp } from './catch-up.ts'
import { callMe } from './notify-me.ts'

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
    const first = client.getQueryData(numbersHeld.queryKey)
    if (first) names.begin(first.peopleVersion)
    void catchUp.run({ epoch, peopleVersion })
    goLive()
    names.resume(peopleVersion)
    sync.resume(epoch)
    sendWaiting()
  },
  'channel:created': ({ client, me }, channel) => channels.addChannel(client, channel, me),
  'channel:updated': (live, facts) => {
    channels.updateChannel(live.client, facts)
    tell(live, { channelId: facts.id, rev: facts.rev })
  },
  'channel:member_joined': (live, joined) => {
    const { channelId, rev, user } = joined
    channels.hearJoined(live.client, joined, live.me)
    tell(live, { channelId, rev })
    users.meetUser(live.client, user)
    if (user.id === live.me) threads.readThreadsAgain(live.client)
  },
  // Who leaves, hears 'channel:left' besides.
  'channel:member_left': (live, { channelId, rev, memberCount }) => {
    channels.countMembers(live.client, { channelId, rev, memberCount })
    tell(live, { channelId, rev })
  },
  'channel:deleted': ({ client }, { channelId }) => {
    dropChannel(client, channelId)
    threads.dropThreads(client, channelId)
  },
  'channel:left': ({ client, leaving }, { channelId }) => {
    if (leaving.get(channelId) === false) return void leaving.set(channelId, true)
    leaving.delete(channelId)
    void readChannel(client, channelId)
    threads.readThreadsAgain(client)
  },
  'channel:joined': (live, joined) => {
    for (const [channelId, hasLeft] of live.leaving) if (hasLeft) live.leaving.delete(channelId)
    cameTo(live, joined)
  },
  'channel:rev': cameTo,
  'channel:error': ({ client, leaving }, { error }) => {
    console.error('Channel error:', error)
    // A channel that cannot be left is one that may not be read any more.
    for (const channelId of leaving.keys()) void readChannel(client, channelId)
    leaving.clear()
  },
  'channel:read': ({ client }, cursor) => {
    hearRead(client, cursor)
    tellRead()
  },
  'channel:muted': ({ client }, muted) => channels.hearMuted(client, muted),

  'message:created': (live, message) => {
    channels.hearMessage(live.client, message, live.me)
    endTyping(live.client, message)
    tell(live, toldOfMessage(message))
    void callMe(live.client, message, live.me)
  },
  'message:updated': changed,
  'message:deleted': changed,
  'thread:message_created': (live, reply) => {
    moveChannel(live.client, reply)
    endTyping(live.client, reply)
    tell(live, toldOfMessage(reply))
    void callMe(live.client, reply, live.me)
  },
  'thread:read': ({ client }, cursor) => {
    threads.hearRead(client, cursor)
    tellRead()
  },
  'reaction:added': reacted,
  'reaction:removed': reacted,
  typing: ({ client }, typing) => applyTyping(client, typing),
  'assistant:progress': (_, progress) => applyProgress(progress),

  'user:status_changed': ({ client }, status) => {
    channels.showStatus(client, status)
    users.showStatus(client, status)
  },
  'user:updated': ({ client, names }, person) => {
    channels.updateMember(client, person)
    threads.renameInThreads(client, person)
    users.updateUser(client, person)
    names.rename(person)
  },
  // socket.ts renews the token.
  'auth:token_expired': () => {},
}

/** Windows, and what the list of threads shows of their parents, follow every revision. */
function tell({ client, sync, me }: Live, told: Told) {
  threads.tellThreads(client, told, me)
  sync.receive(told)
}

function changed(live: Live, message: Payload<'message:deleted'>) {
  channels.hearChange(live.client, message, live.me)
  // Only now there is something to be told of.
  if (endProgress(message)) void callMe(live.client, message, live.me)
  endAloud(message)
  tell(live, toldOfMessage(message))
}

function reacted(live: Live, reaction: Payload<'reaction:added'> | Payload<'reaction:removed'>) {
  moveChannel(live.client, reaction)
  tell(live, toldOfReaction(reaction))
}

/** What moved the channel was perhaps not told: to whoever only looks, while they looked elsewhere. */
function cameTo({ client, sync }: Live, { channelId, rev }: Payload<'channel:joined'>) {
  channels.expectRev(client, { channelId, rev })
  sync.receiveRev(channelId, rev)
}

/** Brings everything a socket says into the cache of a person; answers how to stop. */
export function keepTrue(client: QueryClient, socket: ChatSocket, me: string) {
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
export function connect(me: string) {
  const socket = createSocket()
  const stopKeeping = keepTrue(queryClient, socket, me)
  const disconnect = keepConnected(socket)
  const end = () => {
    disconnect()
    stopKeeping()
  }
  return { socket, end }
}
