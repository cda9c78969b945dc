import type pg from 'pg'
import type { Bus } from '../bus/bus.ts'
import type { Db } from '../db/database.ts'
import type { Logger } from '../process/logger.ts'
import { createDepartures } from './departures.ts'
import type { Freshness } from './freshness.ts'
import { createHeldEvents } from './held-events.ts'
import { createMemberSockets } from './member-sockets.ts'
import { createPublisher, type PublisherOptions } from './publisher.ts'
import { createReadyRounds } from './ready-rounds.ts'
import { createRemovals } from './removals.ts'
import { createRoomQueues } from './room-queues.ts'
import type { SocketServer } from './rooms.ts'

interface Options {
  io: SocketServer
  bus: Pick<Bus, 'send'>
  db: Db
  pool: pg.Pool
  log: Logger
  /** From a poll for changes before the first socket joined. */
  snapshot: string
  freshness: Freshness
  /** Polls for changes on this node. */
  pollSoon: () => void
  /** Limit for queued events: those waiting for a removal, and those waiting for a poll, each. */
  maxWaitingBytes: number
  onPublish: PublisherOptions['onPublish']
}

export type Realtime = ReturnType<typeof openRealtime>

/** Decides what this node's sockets receive, and in which order. */
export function openRealtime(options: Options) {
  const { io, bus, db, pool, log, freshness, pollSoon, maxWaitingBytes: maxBytes, onPublish } = options
  const onDropped = () => rounds.start()
  const departures = createDepartures()
  const removals = createRemovals(options.snapshot)
  const roomQueues = createRoomQueues({ removals, log, maxBytes, pollSoon, onDropped })
  const held = createHeldEvents({ freshness, onHeld: pollSoon, maxBytes, onDropped })
  freshness.follow(pollSoon, held.release)
  const publisher = createPublisher({ io, bus, roomQueues, held, removals, onPublish })
  const memberSockets = createMemberSockets({ db, io, bus, departures, held, log, publisher, removals, roomQueues })
  const rounds = createReadyRounds({ io, log, pool, publishHere: publisher.publishHere })
  return { ...publisher, io, departures, removals, roomQueues, memberSockets, rounds }
}
