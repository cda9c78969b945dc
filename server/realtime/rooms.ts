import type { Server, Socket } from 'socket.io'
import type { ClientEvents, ServerEvents } from '#contract/events'

interface SocketData {
  userId: string
  sessionId: string
  /** When its token expires, in seconds since 1970. */
  expiresAt: number
  /** Whether it has joined its channels and received `ready`. */
  isReady?: boolean
  /** Whether its page had no input for a while. */
  isIdle?: boolean
  /** The last `typing` that this socket sent. */
  typed?: { channelId: string; at: number }
  /** How many events from this socket were dropped. */
  dropped?: number
}
export type SocketServer = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>
export type ServerSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>

/** The audiences of an event; there are no others. `everyone` is every signed-in person except guests. */
export const everyone = 'everyone'
export const guests = 'guests'
export const channelRoom = (channelId: string) => `channel:${channelId}`
/**
 * The audience of a channel's own events: everyone for a public channel, otherwise its members. Events about a channel for
 * everyone are also sent to the channel's own sockets, because guests may be among them.
 */
export const audienceOf = (channelId: string, isPublic: boolean) => (isPublic ? everyone : channelRoom(channelId))
/** The audience of an event about a person. @param guestChannels those of their channels that have guests */
export const audienceOfPerson = (userId: string, guestChannels: readonly string[]) => [
  everyone,
  userRoom(userId),
  ...guestChannels.map(channelRoom),
]
/** Sockets with the channel open, members or not. */
export const viewersRoom = (channelId: string) => `viewers:${channelId}`
export const userRoom = (userId: string) => `user:${userId}`
export const sessionRoom = (sessionId: string) => `session:${sessionId}`

/** Sockets of this node. */
export function socketsIn(io: SocketServer, room: string): ServerSocket[] {
  const { adapter, sockets } = io.of('/')
  return [...(adapter.rooms.get(room) ?? [])].flatMap((id) => sockets.get(id) ?? [])
}

/** The channel whose sockets are the audience, if it is a channel's room. */
export function roomChannel(audience: string | string[]): string | undefined {
  const [, channelId] = (typeof audience === 'string' && /^(?:channel|viewers):(.+)$/.exec(audience)) || []
  return channelId
}
