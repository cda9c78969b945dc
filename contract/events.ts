import * as z from 'zod/mini'
import { ChannelFacts } from './channels.ts'
import { Id } from './ids.ts'
import { Message } from './messages.ts'
import { User } from './users.ts'

/** Everything the server may push. The schema is also what cuts a row down to what its hearers may see. */
export const serverEvents = {
  /** The socket has joined all its channels; `epoch` is new with each creation of the database. */
  ready: z.object({ epoch: z.string() }),
  'channel:created': ChannelFacts,
  'channel:member_joined': z.object({ channelId: Id, rev: z.int(), user: User, memberCount: z.int() }),
  /** The socket hears the channel from now on, which has come this far. */
  'channel:joined': z.object({ channelId: Id, rev: z.int() }),
  'channel:left': z.object({ channelId: Id }),
  'channel:error': z.object({ error: z.string() }),
  'message:created': Message,
  'message:updated': Message,
  /** What is left of it: a tombstone. */
  'message:deleted': Message,
  /** The channel has come this far; whoever holds less missed something. */
  'channel:rev': z.object({ channelId: Id, rev: z.int(), seq: z.int() }),
  'auth:token_expired': z.object({}),
} as const

export type ServerEvent = keyof typeof serverEvents
export type Payload<E extends ServerEvent> = z.output<(typeof serverEvents)[E]>
export type ServerEvents = { [E in ServerEvent]: (payload: Payload<E>) => void }

/** Everything a browser may say over the socket; writes go by HTTP. */
export const clientEvents = {
  /** "I am looking at this channel now." */
  'channel:join': Id,
  'channel:leave': Id,
  /** Sent as 'offline' while signing out. */
  'status:update': z.enum(['online', 'offline']),
} as const
export type ClientEvents = {
  [E in keyof typeof clientEvents]: (payload: z.output<(typeof clientEvents)[E]>) => void
}
