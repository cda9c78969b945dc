import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { ReadCaller } from '../http/caller.ts'
import { collectMetrics, type Metrics, mountMetrics } from '../monitoring/metrics.ts'
import { limitBodies } from './body-limits.ts'
import type { Bounds } from './bounds.ts'
import { limitConnections } from './connection-limits.ts'
import type { Limiter } from './rate-limiter.ts'
import { limitRequests } from './request-limits.ts'
import { limitResponses } from './response-limits.ts'
import { limitSockets } from './socket-limits.ts'

interface Options {
  bounds: Bounds
  readCaller: ReadCaller
  limiter: Limiter
  metrics: Metrics
  /** In addition to the app's own pool. */
  pools: Record<string, pg.Pool>
}

/** Limits and measures all requests. Returns the limits of sockets, and the number of requests in progress. */
export function installLimits(app: FastifyInstance, { pools, metrics, ...options }: Options) {
  const { config, log, pool, realtime, writer } = app
  limitConnections(app.server, options.bounds, config.trustProxy)
  const requests = limitRequests(app, options)
  const bodies = limitBodies(app, options.bounds)
  const responses = limitResponses(app, options.bounds, metrics.responsesAborted)
  app.addHook('onClose', async () => responses.stop())
  const sockets = limitSockets(realtime.io, { ...options, config, log, metrics })
  app.addHook('onClose', async () => sockets.stop())
  collectMetrics(app, metrics, {
    io: realtime.io,
    pools: { main: pool, ...pools },
    queues: { requests: requests.inProgress, writer: writer.waiting },
    socketBytes: sockets.waiting,
    answerBytes: responses.unread,
    bodyBytes: bodies.held,
    cacheBytes: app.cacheBytes,
  })
  mountMetrics(app, metrics)
  return { sockets, requestsInProgress: requests.inProgress }
}
