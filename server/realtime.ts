import type { Server, Socket } from 'socket.io'
import type * as z from 'zod/mini'
import { type ClientEvents, type ServerEvent, type ServerEvents, serverEvents } from '#contract/events'

interface SocketData {
  userId: string
  sessionId: string
}
export type Realtime = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>
export type RealtimeSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>

/** The audiences of an event; there are no others. `everyone` is every signed-in person. */
export const everyone = 'everyone'
export const channelRoom = (channelId: string) => `channel:${channelId}`
export const userRoom = (userId: string) => `user:${userId}`
export const sessionRoom = (sessionId: string) => `session:${sessionId}`

/** Call after the write is committed. The payload is cut to the contract's shape, so extra columns never leave. */
export function publish<E extends ServerEvent>(
  io: Realtime,
  audience: string,
  event: E,
  payload: z.input<(typeof serverEvents)[E]>,
) {
  io.to(audience).emit(event, ...([serverEvents[event].parse(payload)] as Parameters<ServerEvents[E]>))
}
