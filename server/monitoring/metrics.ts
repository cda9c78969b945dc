import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObject,
  Registry,
} from 'prom-client'
import type { Config } from '../config/config.ts'
import { notFound } from '../errors.ts'
import { isCall } from '../http/caller.ts'
import type { Siblings } from '../processes/siblings.ts'
import type { SocketServer } from '../realtime/rooms.ts'
import { unlimited } from './health.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts and logs an error that no caller handles. */
    failed: (error: unknown) => void
  }
}

/** Not more often, because each sample of the event loop wakes an idle process. */
const LAG_INTERVAL_MS = 100

/**
 * The counters of this process, and `read`, which returns the metrics of all sibling processes, labelled by process. Labels have
 * few values: a route's template, never an address or an id.
 */
export function createMetrics(siblings?: Siblings) {
  const registry = new Registry()
  if (siblings) registry.setDefaultLabels({ process: String(siblings.number) })
  const registers = [registry]
  return {
    registry,
    read: () => (siblings ? mergeMetrics(registry, siblings) : registry.metrics()),
    requests: new Counter({
      name: 'parley_http_requests_total',
      help: 'Responses, by route and status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    durations: new Histogram({
      name: 'parley_http_request_duration_seconds',
      help: 'From the headers of a request to the end of its response.',
      labelNames: ['method', 'route'],
      // People notice delays between a frame and a second; the promised deadline is five.
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    rateLimited: new Counter({
      name: 'parley_rate_limited_total',
      help: 'Requests, sockets and events refused by a rate limit.',
      labelNames: ['rate'],
      registers,
    }),
    eventsPublished: new Counter({
      name: 'parley_events_published_total',
      help: 'Published events, each counted once however many sockets receive it.',
      labelNames: ['event'],
      registers,
    }),
    socketsTerminated: new Counter({
      name: 'parley_sockets_closed_total',
      help: 'Sockets that the server closed because they exceeded a limit.',
      labelNames: ['why'],
      registers,
    }),
    responsesAborted: new Counter({
      name: 'parley_responses_aborted_total',
      help: 'Aborted responses: not read for too long (slow), a stalled download whose reader requested more (paused), or too many unread bytes (crowded).',
      labelNames: ['why'],
      registers,
    }),
    eventsDropped: new Counter({
      name: 'parley_socket_events_dropped_total',
      help: 'Events from sockets that were ignored.',
      labelNames: ['why'],
      registers,
    }),
    pollsFailed: new Counter({
      name: 'parley_change_polls_failed_total',
      help: 'Failed polls for changes in the database. Until one succeeds, sockets receive only the events of this node.',
      registers,
    }),
    watchResets: new Counter({
      name: 'parley_change_resets_total',
      help: 'How often changes in the database may have been missed, so that all sockets had to reconnect.',
      registers,
    }),
    unhandled: new Counter({
      name: 'parley_unhandled_errors_total',
      help: 'Errors that no caller handled.',
      registers,
    }),
  }
}
/** Samples of several processes differ by their label, so nothing is summed. */
async function mergeMetrics(registry: Registry, siblings: Siblings) {
  const all = [await registry.getMetricsAsJSON(), ...((await siblings.readMetrics()) as MetricObject[][])]
  const merged = all.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: 'sum' })))
  return AggregatorRegistry.aggregate(merged).metrics()
}

export type Metrics = ReturnType<typeof createMetrics>

/** State that is read when the metrics are requested. */
interface MetricSources {
  io: SocketServer
  pools: Record<string, pg.Pool>
  /** The length of each queue. */
  queues: Record<string, () => number>
  socketBytes: () => { all: number; most: number }
  answerBytes: () => number
  bodyBytes: () => number
  cacheBytes: Map<string, () => number>
}

/** Counts every response, and reads the state of the process on request. */
export function collectMetrics(
  app: FastifyInstance,
  { registry, requests, durations, unhandled }: Metrics,
  sources: MetricSources,
) {
  app.decorate('failed', (error: unknown) => {
    unhandled.inc()
    app.log.error({ err: error }, 'unhandled error')
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = templateOf(request)
    requests.inc({ method, route, status: reply.statusCode })
    durations.observe({ method, route }, reply.elapsedTime / 1000)
    done()
  })
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_INTERVAL_MS })
  readState(registry, sources)
}

/** The route's template; all files of the web client count as one. */
function templateOf(request: FastifyRequest) {
  const { url, config } = request.routeOptions
  if (url === undefined) return 'none'
  return isCall(request) || config.isUnlimited ? url : 'page'
}

function readState(
  registry: Registry,
  { io, pools, queues, socketBytes, answerBytes, bodyBytes, cacheBytes }: MetricSources,
) {
  const registers = [registry]
  new Gauge({
    name: 'parley_sockets',
    help: 'Authenticated sockets, by transport.',
    labelNames: ['transport'],
    registers,
    collect() {
      const all = [...io.of('/').sockets.values()]
      const polling = all.filter(({ conn }) => conn.transport.name === 'polling').length
      this.set({ transport: 'websocket' }, all.length - polling)
      this.set({ transport: 'polling' }, polling)
    },
  })
  new Gauge({
    name: 'parley_connections',
    help: 'Connections of sockets, authenticated or not.',
    registers,
    collect() {
      this.set(io.engine.clientsCount)
    },
  })
  new Gauge({
    name: 'parley_socket_bytes_pending',
    help: 'Unsent bytes of sockets at the last check: in total, and of the socket with the most.',
    labelNames: ['of'],
    registers,
    collect() {
      for (const [of, bytes] of Object.entries(socketBytes())) this.set({ of }, bytes)
    },
  })
  new Gauge({
    name: 'parley_response_bytes_pending',
    help: 'Response bytes that clients have not read yet.',
    registers,
    collect() {
      this.set(answerBytes())
    },
  })
  new Gauge({
    name: 'parley_request_body_bytes',
    help: 'Bytes of large request bodies in memory.',
    registers,
    collect() {
      this.set(bodyBytes())
    },
  })
  new Gauge({
    name: 'parley_cache_bytes',
    help: 'Bytes in caches.',
    labelNames: ['cache'],
    registers,
    collect() {
      for (const [cache, read] of cacheBytes) this.set({ cache }, read())
    },
  })
  new Gauge({
    name: 'parley_queue_length',
    help: 'Requests in progress, and changes waiting to be written.',
    labelNames: ['queue'],
    registers,
    collect() {
      for (const [queue, read] of Object.entries(queues)) this.set({ queue }, read())
    },
  })
  new Gauge({
    name: 'parley_database_connections',
    help: 'Connections to the database, and queries waiting for one.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'used' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waited_for' }, waitingCount)
      }
    },
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whoever sends the token, if one is configured; otherwise only this machine. Everyone else gets a 404. */
function mayRead({ headers, caller }: FastifyRequest, { metricsToken }: Config) {
  if (metricsToken === undefined) return caller.isLoopback
  const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
  return timingSafeEqual(digest(token), digest(metricsToken))
}

/** `GET /metrics`; docs/running/monitoring.md explains each metric. */
export function mountMetrics(app: FastifyInstance, { registry, read }: Metrics) {
  app.get('/metrics', unlimited, async (request, reply) => {
    if (!mayRead(request, app.config)) throw notFound('errors.pageNotFound')
    reply.header('cache-control', 'no-store')
    return reply.type(registry.contentType).send(await read())
  })
}
