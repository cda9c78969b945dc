import * as z from 'zod/mini'
import { flagEvents } from './channel-flags.ts'
import { ChannelFacts, CountedCursor } from './channels.ts'
import { Id, Time, UserId } from './ids.ts'
import { LaterItem } from './later.ts'
import { Message, ThreadFacts } from './messages.ts'
import { notificationEvents } from './notifications.ts'
import { ThreadCursor } from './threads.ts'
import { Face, Me, Profile, User } from './users.ts'

/** Every event that changes a channel carries the channel's new revision. */
const moved = { channelId: Id, rev: z.int() }
/** The parent's fields changed by a reply or its deletion; the parent's `rev` is the event's. */
const parent = z.extend(ThreadFacts, { id: Id, updatedAt: z.string() })
/** One emoji's reactions after the event: at most 50 users, and the total. */
const reacted = { ...moved, messageId: Id, updatedAt: z.string(), users: z.array(User), count: z.int() }

const statusFields = z.pick(Profile, {
  status: true,
  user_status: true,
  statusText: true,
  statusUntil: true,
  availability: true,
  quietUntil: true,
  isIdle: true,
}).shape
const language = z.pick(Me, { language: true }).shape

/** Every server event. The schema also strips fields that the receivers may not see. */
export const serverEvents = {
  /**
   * The socket has joined all its channels; `epoch` is new for each database, `language` the user's own. `emojiVersion` grows
   * when the workspace's emoji change, and is 0 if it never had any. Nodes of earlier versions omit it and `workspaceName`,
   * which only pages of earlier versions use: later ones ask for the session at each connection.
   */
  ready: z.object({
    epoch: z.string(),
    peopleVersion: z.int(),
    workspaceName: z.optional(z.string()),
    emojiVersion: z.optional(z.int()),
    ...language,
  }),

  /** For public channels to everyone, for others to their members. `memberIds` are the initial members. */
  'channel:created': z.extend(ChannelFacts, { memberIds: z.array(UserId) }),
  'channel:updated': ChannelFacts,
  'channel:member_joined': z.object({ ...moved, user: User, memberCount: z.int() }),
  'channel:member_left': z.object({ ...moved, userId: UserId, memberCount: z.int() }),
  /** Also sent to outsiders when a channel becomes private. At most 100 `memberIds`, and only to members. */
  'channel:deleted': z.object({ channelId: Id, memberIds: z.array(UserId) }),

  /** To members, and to viewers of a public channel. */
  'message:created': Message,
  'message:updated': Message,
  /** The tombstone. */
  'message:deleted': z.extend(Message, { parent: z.optional(parent) }),
  'thread:message_created': z.extend(Message, { parent }),
  'reaction:added': z.object({ ...reacted, reaction: z.object({ emoji: z.string(), user: User }) }),
  'reaction:removed': z.object({ ...reacted, emoji: z.string(), userId: UserId }),
  /** The channel's current revision; a client with a lower one has missed something. */
  'channel:rev': z.object({ ...moved, seq: z.int() }),
  /** Somebody is typing, for the next five seconds; only to viewers of the channel. */
  typing: z.object({ channelId: Id, threadId: z.nullable(Id), user: User }),
  /**
   * The full text so far of an answer the assistant is writing, to the channel: as it grows, and every two seconds. It is stored
   * only at the end, which `message:updated` publishes.
   */
  'assistant:progress': z.object({
    channelId: Id,
    messageId: Id,
    /** The thread's parent, if the answer is a reply. */
    threadId: z.nullable(Id),
    content: z.string(),
    /** May stop it, besides the channel's owner and admins. */
    askedBy: UserId,
  }),

  /** To the user's own sockets. */
  'user:language_changed': z.object(language),
  'user:availability_changed': z.object({
    availability: z.string(),
    quietUntil: z.nullable(Time),
    isStatusQuiet: z.optional(z.boolean()),
  }),
  'channel:read': z.extend(CountedCursor, { channelId: Id }),
  ...flagEvents,
  ...notificationEvents,
  'thread:read': z.extend(ThreadCursor, { channelId: Id }),
  /** Something was saved for later, changed, marked as done or open, or its reminder is due; or it was removed. */
  'later:changed': LaterItem,
  'later:removed': z.object({ id: Id }),
  /** A message was scheduled, changed, sent or cancelled, or it could not be sent: refetch them. */
  'scheduled:changed': z.object({ id: Id, hasFailed: z.boolean() }),
  /** An export of mine is done, or all attempts failed: refetch them. */
  'export:finished': z.object({ id: Id, isDone: z.boolean() }),
  /** The membership ended. Also acknowledges 'channel:leave' to the one socket that sent it, which only stops viewing. */
  'channel:left': z.object({ channelId: Id }),

  /** To the one socket that asked: it receives the channel's events from this revision on. */
  'channel:joined': z.object(moved),
  'channel:error': z.object({ error: z.string() }),
  'auth:token_expired': z.object({}),

  /** To users who share a channel with the user. Without `isIdle`, they are not idle. */
  'user:status_changed': z.object({ userId: UserId, ...statusFields }),
  /** To everyone, including guests: the roles' permissions changed; refetch `Me`. */
  'permissions:changed': z.object({}),
  /** To everyone, including guests: the workspace has another name. */
  'workspace:renamed': z.object({ name: z.string() }),
  /** To the owner and the person asked to take over the workspace: the request was made, answered or withdrawn; refetch it. */
  'handover:changed': z.object({}),
  /** To everyone: groups or their people changed; refetch them. */
  'groups:changed': z.object({}),
  /** To everyone, including guests: the workspace's emoji changed; refetch them. */
  'emoji:changed': z.object({}),
  /**
   * To everyone, but to guests only if they share a channel: a name or a picture changed, or a user was deactivated or
   * reactivated; refetch the directory.
   */
  'user:updated': z.extend(Face, { peopleVersion: z.int(), avatarUrl: z.optional(Profile.shape.avatarUrl) }),
} as const

export type ServerEvent = keyof typeof serverEvents
export type Payload<E extends ServerEvent> = z.output<(typeof serverEvents)[E]>
export type ServerEvents = { [E in ServerEvent]: (payload: Payload<E>) => void }

/** Every browser event; writes use HTTP. */
export const clientEvents = {
  /** The user opened this channel. */
  'channel:join': Id,
  'channel:leave': Id,
  /**
   * Whether this socket counts as presence; 'offline' is sent while signing out. 'idle' is online without input for ten minutes,
   * until 'online'; nodes of earlier versions ignore it. A handshake with `isIdle: true` opens an idle socket.
   */
  'status:update': z.enum(['online', 'idle', 'offline']),
  typing: z.object({ channelId: Id, threadId: z.optional(Id) }),
} as const
export type ClientEvents = {
  [E in keyof typeof clientEvents]: (payload: z.output<(typeof clientEvents)[E]>) => void
}
