import { clientEvents } from '#contract/events'
import { memberChannel, readableChannel } from '../access/access.ts'
import { postRefusal } from '../access/post-refusal.ts'
import type { SocketLimits } from '../limits/socket-limits.ts'
import type { ReadyLoader } from '../realtime/ready-loader.ts'
import { channelRoom, everyone, guests, type ServerSocket, userRoom, viewersRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { syncRoom } from './sync-rooms.ts'

const TYPING_INTERVAL_MS = 1000
/** 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Joins a new socket to the rooms of its channels, and of everyone or guests.
 * The socket is in its user's room already, so it also joins channels that the user joins in the meantime.
 */
export async function joinRooms(services: Services, workspaces: ReadyLoader, socket: ServerSocket) {
  const { departures, publishHere } = services.realtime
  const { userId } = socket.data
  const join = ({ role, channelIds }: { role: string; channelIds: string[] }, lost: ReadonlySet<string>) => {
    const joined = channelIds.filter((id) => !lost.has(id))
    void socket.join([role === 'guest' ? guests : everyone, ...joined.map(channelRoom)])
    return { joined, uncertain: channelIds.filter((id) => lost.has(id)) }
  }
  const { joined, uncertain } = await departures.during(userId, () => workspaces.load(userId), join)
  // Memberships may have ended on another node between the query and the join.
  const { channelIds, leftMs, ...workspace } = await workspaces.load(userId)
  const current = new Set(channelIds)
  const ended = joined.filter((id) => !current.has(id))
  await Promise.all([...uncertain, ...ended].map((id) => leaveAndSync(services, socket, id)))
  if (leftMs) endWith(socket, leftMs)
  socket.data.isReady = true
  publishHere(socket.id, 'ready', workspace)
}

/** Adds the socket to the channel's viewers, and a non-member's socket to the channel itself if it is public. */
export async function viewChannel(services: Services, limits: SocketLimits, socket: ServerSocket, payload: unknown) {
  const channelId = clientEvents['channel:join'].parse(payload)
  const { doors, realtime } = services
  const { userId } = socket.data
  limits.checkViewLimit(socket, channelId)
  const read = () => readableChannel(doors, userId, channelId)
  const join = (_: unknown, lost: ReadonlySet<string>) => {
    // The channel became private, or the user was removed, during the read: the result may be stale, so read it again.
    if (lost.has(channelId)) return false
    void socket.join([channelRoom(channelId), viewersRoom(channelId)])
    return true
  }
  while (!(await realtime.departures.during(userId, read, join)));
  // Read after the join, so that the socket receives every later event. The user may have been removed on another node.
  const channel = await readableChannel(doors, userId, channelId).catch(async (error) => {
    await leaveAndSync(services, socket, channelId)
    throw error
  })
  realtime.publishHere(socket.id, 'channel:joined', { channelId, rev: channel.rev })
}

/** Ends viewing a channel; members stay in its room. */
export async function endViewing(services: Services, socket: ServerSocket, payload: unknown) {
  const channelId = clientEvents['channel:leave'].parse(payload)
  const { doors, realtime } = services
  const { userId } = socket.data
  // Until this is known the socket stays a viewer, so that closing the channel removes it as well.
  const { isMember } = await readableChannel(doors, userId, channelId).catch((error) => {
    void socket.leave(viewersRoom(channelId))
    void socket.leave(channelRoom(channelId))
    throw error
  })
  void socket.leave(viewersRoom(channelId))
  if (!isMember) {
    void socket.leave(channelRoom(channelId))
    // The user may have joined the channel since.
    if ((await readableChannel(doors, userId, channelId)).isMember) await syncRoom(services, channelId, [userId])
  }
  realtime.publishHere(socket.id, 'channel:left', { channelId })
}

/** Publishes to the channel's viewers, except the user's own tabs. */
export async function publishTyping(services: Services, socket: ServerSocket, payload: unknown) {
  const { db, doors, people, presence, publish } = services
  const { channelId, threadId = null } = clientEvents.typing.parse(payload)
  const { userId } = socket.data
  if (!isDue(socket, channelId)) return
  await memberChannel(doors, userId, channelId)
  // Invisible people appear offline.
  if (presence.isInvisible(userId)) return
  // Ignore people who may not write there, such as muted or blocked ones.
  if ((await postRefusal(db, userId, channelId, threadId ? 'reply' : 'post')) !== null) return
  const userOf = await people.namesOf([userId])
  publish(viewersRoom(channelId), 'typing', { channelId, threadId, user: userOf(userId) }, userRoom(userId))
}

function isDue({ data }: ServerSocket, channelId: string) {
  const now = performance.now()
  if (data.typed?.channelId === channelId && now - data.typed.at < TYPING_INTERVAL_MS) return false
  data.typed = { channelId, at: now }
  return true
}

/** Leaves a channel, and joins it again if the user turns out to be a member. */
async function leaveAndSync(services: Services, socket: ServerSocket, channelId: string) {
  void socket.leave(channelRoom(channelId))
  void socket.leave(viewersRoom(channelId))
  await syncRoom(services, channelId, [socket.data.userId])
}

/** Disconnects a guest when their time ends, even before they are signed out. If it was extended, the client reconnects. */
function endWith(socket: ServerSocket, leftMs: number) {
  // The token, and with it the socket, expires long before a timer's maximum.
  if (leftMs > MAX_TIMER_MS || !socket.connected) return
  const timer = setTimeout(() => socket.conn.close(), Math.floor(leftMs))
  socket.on('disconnect', () => clearTimeout(timer))
}
