import * as z from 'zod/mini'
import { ChannelFacts, CountedCursor } from './channels.ts'
import { Id, UserId } from './ids.ts'
import { Message, ThreadFacts } from './messages.ts'
import { ThreadCursor } from './threads.ts'
import { Profile, User } from './users.ts'

/** Every event that changed a channel says which revision of it that was. */
const moved = { channelId: Id, rev: z.int() }
/** What a reply, or its end, changed of its parent: the parent has the event's `rev` too. */
const parent = z.extend(ThreadFacts, { id: Id, updatedAt: z.string() })
/** What a message shows of one emoji after the event: at most 50 people, and how many there are. */
const reacted = { ...moved, messageId: Id, updatedAt: z.string(), users: z.array(User), count: z.int() }

/** Everything the server may push. The schema is also what cuts a row down to what its hearers may see. */
export const serverEvents = {
  /** The socket has joined all its channels; `epoch` is new with each creation of the database. */
  ready: z.object({ epoch: z.string(), peopleVersion: z.int() }),

  /** Everyone hears these of public channels, their members of others. `memberIds` are those it begins with. */
  'channel:created': z.extend(ChannelFacts, { memberIds: z.array(UserId) }),
  'channel:updated': ChannelFacts,
  'channel:member_joined': z.object({ ...moved, user: User, memberCount: z.int() }),
  'channel:member_left': z.object({ ...moved, userId: UserId, memberCount: z.int() }),
  /** Also when it became private, to those who are not in it. At most 100 `memberIds`, and only to members. */
  'channel:deleted': z.object({ channelId: Id, memberIds: z.array(UserId) }),

  /** Members, and those who look at a public channel, hear these. */
  'message:created': Message,
  'message:updated': Message,
  /** What is left of it: a tombstone. */
  'message:deleted': z.extend(Message, { parent: z.optional(parent) }),
  'thread:message_created': z.extend(Message, { parent }),
  'reaction:added': z.object({ ...reacted, reaction: z.object({ emoji: z.string(), user: User }) }),
  'reaction:removed': z.object({ ...reacted, emoji: z.string(), userId: UserId }),
  /** The channel has come this far; whoever holds less missed something. */
  'channel:rev': z.object({ ...moved, seq: z.int() }),
  /** Somebody is writing, for the next five seconds; only those who look at the channel hear it. */
  typing: z.object({ channelId: Id, threadId: z.nullable(Id), user: User }),
  /**
   * All that the assistant has written so far of an answer which is under way: told as it grows, and every two seconds,
   * to those who hear the channel. It is stored at its end only, which `message:updated` tells.
   */
  'assistant:progress': z.object({
    channelId: Id,
    messageId: Id,
    /** Of an answer in a thread: the thread's parent. */
    threadId: z.nullable(Id),
    content: z.string(),
    /** Who may stop it, besides the channel's owner and admins. */
    askedBy: UserId,
  }),

  /** The own person's sockets hear these. */
  'channel:read': z.extend(CountedCursor, { channelId: Id }),
  'channel:muted': z.object({ channelId: Id, muted: z.boolean() }),
  'thread:read': z.extend(ThreadCursor, { channelId: Id }),
  /** The membership ended; the one socket that said 'channel:leave' hears it too, and for it only the looking did. */
  'channel:left': z.object({ channelId: Id }),

  /** The one socket that asked hears these. It hears the channel from now on, which has come this far. */
  'channel:joined': z.object(moved),
  'channel:error': z.object({ error: z.string() }),
  'auth:token_expired': z.object({}),

  /** Those who share a channel with the person hear it. */
  'user:status_changed': z.object({ userId: UserId, ...z.pick(Profile, { status: true, user_status: true }).shape }),
  /** Everyone hears of a new name, and that somebody was deactivated or let in again: the directory is to be read anew. */
  'user:updated': z.extend(User, { peopleVersion: z.int() }),
} as const

export type ServerEvent = keyof typeof serverEvents
export type Payload<E extends ServerEvent> = z.output<(typeof serverEvents)[E]>
export type ServerEvents = { [E in ServerEvent]: (payload: Payload<E>) => void }

/** Everything a browser may say over the socket; writes go by HTTP. */
export const clientEvents = {
  /** "I am looking at this channel now." */
  'channel:join': Id,
  'channel:leave': Id,
  /** Whether this socket counts as its person's being here; 'offline' is said while signing out. */
  'status:update': z.enum(['online', 'offline']),
  typing: z.object({ channelId: Id, threadId: z.optional(Id) }),
} as const
export type ClientEvents = {
  [E in keyof typeof clientEvents]: (payload: z.output<(typeof clientEvents)[E]>) => void
}
