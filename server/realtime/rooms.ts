import type { Server, Socket } from 'socket.io'
import type { ClientEvents, ServerEvents } from '#contract/events'

interface SocketData {
  userId: string
  sessionId: string
  /** When its token ends, in seconds since 1970. */
  expiresAt: number
  /** It has joined its channels and received `ready`. */
  isReady?: boolean
  /** The last `typing` that this socket sent. */
  typed?: { channelId: string; at: number }
  /** Events from this socket that were dropped. */
  dropped?: number
}
export type SocketServer = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>
export type ServerSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>

/** The audiences of an event; there are no others. `everyone` is every signed-in person who is no guest. */
export const everyone = 'everyone'
export const guests = 'guests'
export const channelRoom = (channelId: string) => `channel:${channelId}`
/**
 * A channel's own events: everyone may see a public channel, its members any other. What goes to everyone about a channel
 * goes to the channel's own sockets, too, because guests may be among them.
 */
export const audienceOf = (channelId: string, isPublic: boolean) => (isPublic ? everyone : channelRoom(channelId))
/** Of an event about a person. @param guestChannels those of their channels that guests are in */
export const audienceOfPerson = (userId: string, guestChannels: readonly string[]) => [
  everyone,
  userRoom(userId),
  ...guestChannels.map(channelRoom),
]
/** Sockets with the channel open, members or not. */
export const viewersRoom = (channelId: string) => `viewers:${channelId}`
export const userRoom = (userId: string) => `user:${userId}`
export const sessionRoom = (sessionId: string) => `session:${sessionId}`

/** Of this node. */
export function socketsIn(io: SocketServer, room: string): ServerSocket[] {
  const { adapter, sockets } = io.of('/')
  return [...(adapter.rooms.get(room) ?? [])].flatMap((id) => sockets.get(id) ?? [])
}

/** The channel whose sockets are the audience. */
export function roomChannel(audience: string | string[]): string | undefined {
  const [, channelId] = (typeof audience === 'string' && /^(?:channel|viewers):(.+)$/.exec(audience)) || []
  return channelId
}
