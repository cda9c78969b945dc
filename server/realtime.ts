import { LRUCache } from 'lru-cache'
import type { Server, Socket } from 'socket.io'
import * as z from 'zod/mini'
import { type ClientEvents, type ServerEvent, type ServerEvents, serverEvents } from '#contract/events'
import { type Compiled, compiled } from './http/compiled-schema.ts'

interface SocketData {
  userId: string
  sessionId: string
  /** When its token ends, in seconds since 1970. */
  expiresAt: number
  /** Where this socket's person was last heard typing, and when. */
  typed?: { channelId: string; at: number }
  /** How much of what it said was dropped. */
  dropped?: number
}
export type Realtime = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>
export type RealtimeSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>

/** The audiences of an event; there are no others. `everyone` is every signed-in person. */
export const everyone = 'everyone'
export const channelRoom = (channelId: string) => `channel:${channelId}`
/** A channel's own events: everyone may see a public channel, its members any other. */
export const audienceOf = (channelId: string, isPublic: boolean) => (isPublic ? everyone : channelRoom(channelId))
/** Those who have a channel before their eyes, members or not. */
export const lookersRoom = (channelId: string) => `lookers:${channelId}`
export const userRoom = (userId: string) => `user:${userId}`
export const sessionRoom = (sessionId: string) => `session:${sessionId}`

/**
 * Call after the write is committed. The payload is cut to the contract's shape, so extra columns never leave.
 * @param but a room whose sockets do not hear it
 */
export type Publish = <E extends ServerEvent>(
  audience: string | string[],
  event: E,
  payload: z.input<(typeof serverEvents)[E]>,
  but?: string,
) => void

export interface Publisher {
  publish: Publish
  /** The last revision of a channel that was told on this node; 0 where none is remembered, `Infinity` once it is gone. */
  told: (channelId: string) => number
  /** The last people version under which somebody was told of on this node; 0 where none is remembered. */
  toldOf: (userId: string) => number
  /** Forgets what was told: the numbers are those of another database. */
  forgetTold: () => void
}

type Cuts = { [E in ServerEvent]: Compiled<(typeof serverEvents)[E]> }
const cuts = Object.fromEntries(
  Object.entries(serverEvents).map(([event, schema]) => [event, compiled<z.core.$ZodType>(schema)]),
) as Cuts

const REMEMBERED = 100_000

/** @param onTold hears of every event told */
export function createPublisher(io: Realtime, onTold: (event: ServerEvent) => void = () => {}): Publisher {
  const revs = new LRUCache<string, number>({ max: REMEMBERED })
  const versions = new LRUCache<string, number>({ max: REMEMBERED })
  const told = (channelId: string) => revs.get(channelId) ?? 0
  const toldOf = (userId: string) => versions.get(userId) ?? 0

  const publish: Publish = (audience, event, payload, but) => {
    const cut = z.parse<Cuts[ServerEvent]>(cuts[event], payload)
    // Whoever noticed the change in the database may have published it first.
    if (event === 'user:updated' && 'peopleVersion' in cut && 'id' in cut && toldOf(cut.id) >= cut.peopleVersion) return
    // With `but` it is gone for some only.
    if (event === 'channel:deleted' && 'channelId' in cut && but === undefined) {
      if (told(cut.channelId) === Infinity) return
      revs.set(cut.channelId, Infinity)
    }
    const hearers = but === undefined ? io.to(audience) : io.to(audience).except(but)
    hearers.emit(event, ...([cut] as Parameters<ServerEvents[typeof event]>))
    onTold(event)
    if ('peopleVersion' in cut && 'id' in cut) versions.set(cut.id, Math.max(cut.peopleVersion, toldOf(cut.id)))
    if (!('rev' in cut)) return
    const channelId = 'channelId' in cut ? cut.channelId : cut.id
    // What one socket is told for itself, the others have not heard; a new channel is told to each of its people.
    const toAll = event === 'channel:created' || audience === everyone || audience === channelRoom(channelId)
    if (toAll) revs.set(channelId, Math.max(cut.rev, told(channelId)))
  }

  const forgetTold = () => {
    revs.clear()
    versions.clear()
  }

  return { publish, told, toldOf, forgetTold }
}
