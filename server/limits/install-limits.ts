import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { FrontDoor } from '../http/front-door.ts'
import { type Measures, measure, mountMetrics } from '../monitoring/metrics.ts'
import { limitAnswers } from './answer-limits.ts'
import { limitBodies } from './body-limits.ts'
import type { Bounds } from './bounds.ts'
import type { Limiter } from './rate-limiter.ts'
import { limitRequests } from './request-limits.ts'
import { limitSockets, type SocketLimits } from './socket-limits.ts'

interface Options {
  bounds: Bounds
  meet: FrontDoor
  limiter: Limiter
  measures: Measures
  /** Beside the app's own. */
  searchPool: pg.Pool
}

/** Stands before all that the app takes by HTTP, and counts it; answers what sockets may do. */
export function installLimits(app: FastifyInstance, { searchPool, measures, ...limited }: Options): SocketLimits {
  const { config, io, log, pool, writer } = app
  const { underWay } = limitRequests(app, limited)
  const bodies = limitBodies(app, limited.bounds)
  const answers = limitAnswers(app, limited.bounds, measures.answersCut)
  app.addHook('onClose', async () => answers.stop())
  const sockets = limitSockets(io, { ...limited, config, log, measures })
  app.addHook('onClose', async () => sockets.stop())
  measure(app, measures, {
    io,
    pools: { main: pool, search: searchPool },
    queues: { requests: underWay, writer: writer.waiting },
    socketBytes: sockets.waiting,
    answerBytes: answers.unread,
    bodyBytes: bodies.held,
    cacheBytes: app.cacheBytes,
  })
  mountMetrics(app, measures)
  return sockets
}
