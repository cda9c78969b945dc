import DataLoader from 'dataloader'
import pLimit from 'p-limit'
import type pg from 'pg'
import * as z from 'zod/mini'
import { clientEvents } from '#contract/events'
import { memberChannel, readableChannel } from '../access/access.ts'
import { AppError } from '../errors.ts'
import { releaseHandshake } from '../http/engine-internals.ts'
import type { Sessions } from '../identity/bearer-tokens.ts'
import type { SocketLimits } from '../limits/socket-limits.ts'
import { channelRoom, everyone, type RealtimeSocket, sessionRoom, userRoom, viewersRoom } from '../realtime.ts'
import type { Services } from '../services.ts'
import { syncRoom } from './room-membership.ts'

const TYPING_INTERVAL_MS = 1000

/** Lets signed-in browsers listen: each hears its own person, the channels they are in, and what everyone may hear. */
export function acceptSockets(services: Services, sessions: Sessions, limits: SocketLimits) {
  const { pool, doors, departures, io, people, presence, publish, bounds, log } = services
  // A storm of sockets that come back leaves connections to the database for calls.
  const entrance = pLimit(bounds.joiningSockets)
  const places = createMembershipLoader(pool)

  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth['token']
    const admitted = sessions
      .verify(typeof token === 'string' ? token : '')
      .then(({ userId, sessionId, expiresAt }) => {
        limits.admit(userId)
        socket.data.userId = userId
        socket.data.sessionId = sessionId
        socket.data.expiresAt = expiresAt
      })
    admitted.then(
      () => next(),
      (error: Error) => next(refusal(error)),
    )
  })

  io.on('connection', (socket) => {
    const { userId, sessionId } = socket.data
    releaseHandshake(socket)
    // Not before: of a socket that closes on its way here nobody says that it is gone.
    expire(socket)
    socket.join([sessionRoom(sessionId), userRoom(userId), everyone])
    // The session may have ended between the handshake and the line above.
    if (sessions.isRevoked(sessionId)) return socket.disconnect(true)

    presence.addSocket(userId, socket.id)
    socket.on('disconnect', () => presence.removeSocket(userId, socket.id))

    limits.limitEvents(socket, (error) => publish(socket.id, 'channel:error', { error }))
    entrance(() => (socket.connected ? enterChannels(socket) : undefined)).catch((error) => {
      log.warn({ err: error }, 'a socket could not enter its channels')
      socket.disconnect(true)
    })
    // One after the other: who comes back to a channel at once must not be taken out of it afterwards.
    let turn = Promise.resolve()
    let asked = 0
    const inTurn = (act: () => Promise<void>) => {
      if (++asked > bounds.pendingEvents) return limits.terminate(socket, 'asked')
      turn = turn
        .then(() => answer(socket, act))
        .finally(() => {
          asked--
        })
      return undefined
    }
    socket.on('channel:join', (channelId) => inTurn(() => onJoin(socket, channelId)))
    socket.on('channel:leave', (channelId) => inTurn(() => onLeave(socket, channelId)))
    socket.on('typing', (typed) => inTurn(() => tellTyping(socket, typed)))
    socket.on('status:update', (status) => {
      if (status === 'online') presence.addSocket(userId, socket.id)
      if (status === 'offline') presence.removeSocket(userId, socket.id, 'now')
    })
    return undefined
  })

  /** The own room first, then the memberships: a channel entered meanwhile is announced to the own room. */
  async function enterChannels(socket: RealtimeSocket) {
    const { userId } = socket.data
    const enter = ({ channelIds }: { channelIds: string[] }, lost: ReadonlySet<string>) => {
      const entered = channelIds.filter((id) => !lost.has(id))
      void socket.join(entered.map(channelRoom))
      return { entered, doubtful: channelIds.filter((id) => lost.has(id)) }
    }
    const { entered, doubtful } = await departures.during(userId, () => places.load(userId), enter)
    // A membership that ended elsewhere between the question and the joining.
    const { channelIds, ...workspace } = await places.load(userId)
    const standing = new Set(channelIds)
    const ended = entered.filter((id) => !standing.has(id))
    await Promise.all([...doubtful, ...ended].map((id) => goAndSettle(socket, id)))
    publish(socket.id, 'ready', workspace)
  }

  /** Looking adds what only a looker needs, and lets a non-member hear a public channel for as long as they look. */
  async function onJoin(socket: RealtimeSocket, given: unknown) {
    const channelId = clientEvents['channel:join'].parse(given)
    const { userId } = socket.data
    limits.checkViewLimit(socket, channelId)
    const ask = () => readableChannel(doors, userId, channelId)
    const enter = (_: unknown, lost: ReadonlySet<string>) => {
      // The channel became private meanwhile, or they were removed: the answer may be older, so it is asked for again.
      if (lost.has(channelId)) return false
      void socket.join([channelRoom(channelId), viewersRoom(channelId)])
      return true
    }
    while (!(await departures.during(userId, ask, enter)));
    // Read after the joining: what comes later is heard. They may have been removed elsewhere in between.
    const channel = await readableChannel(doors, userId, channelId).catch(async (error) => {
      await goAndSettle(socket, channelId)
      throw error
    })
    publish(socket.id, 'channel:joined', { channelId, rev: channel.rev })
  }

  async function onLeave(socket: RealtimeSocket, given: unknown) {
    const channelId = clientEvents['channel:leave'].parse(given)
    const { userId } = socket.data
    // Until the answer is there they are still one who looks, and put out with the others where the channel is closed.
    const { isMember } = await readableChannel(doors, userId, channelId).catch((error) => {
      void socket.leave(viewersRoom(channelId))
      void socket.leave(channelRoom(channelId))
      throw error
    })
    void socket.leave(viewersRoom(channelId))
    if (!isMember) {
      void socket.leave(channelRoom(channelId))
      // They may have joined between the question and the leaving.
      if ((await readableChannel(doors, userId, channelId)).isMember) await syncRoom(services, channelId, [userId])
    }
    publish(socket.id, 'channel:left', { channelId })
  }

  /** Hears a channel no more, unless its person turns out to be a member, now that nothing else moves them. */
  async function goAndSettle(socket: RealtimeSocket, channelId: string) {
    void socket.leave(channelRoom(channelId))
    void socket.leave(viewersRoom(channelId))
    await syncRoom(services, channelId, [socket.data.userId])
  }

  /** Those who look at the channel hear that somebody writes there, not the writer's own other tabs. */
  async function tellTyping(socket: RealtimeSocket, given: unknown) {
    const { channelId, threadId = null } = clientEvents.typing.parse(given)
    const { userId } = socket.data
    if (!isDue(socket, channelId)) return
    await memberChannel(doors, userId, channelId)
    const userOf = await people.namesOf([userId])
    publish(viewersRoom(channelId), 'typing', { channelId, threadId, user: userOf(userId) }, userRoom(userId))
  }

  /** A socket is heard typing once a second; the rest says nothing new. */
  function isDue({ data }: RealtimeSocket, channelId: string) {
    const now = Date.now()
    if (data.typed?.channelId === channelId && now - data.typed.at < TYPING_INTERVAL_MS) return false
    data.typed = { channelId, at: now }
    return true
  }

  async function answer(socket: RealtimeSocket, act: () => Promise<void>) {
    try {
      await act()
    } catch (error) {
      if (error instanceof AppError && error.status < 500)
        return publish(socket.id, 'channel:error', { error: error.message })
      if (error instanceof z.core.$ZodError) return publish(socket.id, 'channel:error', { error: 'Channel not found' })
      // The database is away: coming back, the browser asks for everything again.
      log.warn({ err: error }, 'a socket asked for something that failed')
      socket.disconnect(true)
    }
  }

  function expire(socket: RealtimeSocket) {
    const timer = setTimeout(
      () => {
        publish(socket.id, 'auth:token_expired', {})
        socket.disconnect(true)
      },
      socket.data.expiresAt * 1000 - Date.now(),
    )
    socket.on('disconnect', () => clearTimeout(timer))
  }
}

const PLACES = {
  name: 'places',
  text: `select w.epoch, w."peopleVersion",
      array(select "channelId" from memberships m where m."userId" = asked.person) as "channelIds"
    from unnest($1::text[]) with ordinality as asked(person, place) cross join workspace w order by asked.place`,
}

/** The channels that somebody is in; who asks in one turn of the event loop shares a query, which begins after it. */
function createMembershipLoader(pool: pg.Pool) {
  const ask = async (people: readonly string[]) => {
    const values = [people]
    return (await pool.query<{ epoch: string; peopleVersion: number; channelIds: string[] }>({ ...PLACES, values }))
      .rows
  }
  return new DataLoader(ask, { cache: false, batchScheduleFn: setImmediate })
}

/** Tells the browser whether a new token helps (`unauthenticated`) or only another try (`unavailable`). */
function refusal(error: Error) {
  return new Error(error instanceof AppError ? error.code : 'unavailable')
}
