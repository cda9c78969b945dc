import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import { notFound } from '../errors.ts'
import { isCall } from '../http/front-door.ts'
import type { Realtime } from '../realtime.ts'
import { unlimited } from './health.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Notes a failure that nobody waited for. */
    failed: (error: unknown) => void
  }
}

/** What happens on this node, counted from its start. Labels take few values: a call's template, never an address or an id. */
export function openMeasures() {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new Counter({
      name: 'parley_http_requests_total',
      help: 'Answers, by call and status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    durations: new Histogram({
      name: 'parley_http_request_duration_seconds',
      help: 'From the head of a request to the end of its answer.',
      labelNames: ['method', 'route'],
      // What people feel lies between a frame and a second, what is promised at five.
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    limited: new Counter({
      name: 'parley_rate_limited_total',
      help: 'Requests, sockets and events refused by a rate.',
      labelNames: ['rate'],
      registers,
    }),
    eventsPublished: new Counter({
      name: 'parley_events_total',
      help: 'Events told, each to all who hear it.',
      labelNames: ['event'],
      registers,
    }),
    cut: new Counter({
      name: 'parley_sockets_cut_total',
      help: 'Sockets that were cut.',
      labelNames: ['why'],
      registers,
    }),
    answersCut: new Counter({
      name: 'parley_answers_cut_total',
      help: 'Answers that were cut because they were not read: for too long (slow), as a file that stands still where its reader asks for more (paused), or where too many bytes wait (crowded).',
      labelNames: ['why'],
      registers,
    }),
    dropped: new Counter({
      name: 'parley_socket_events_dropped_total',
      help: 'Things said by sockets and not listened to.',
      labelNames: ['why'],
      registers,
    }),
    pollsFailed: new Counter({
      name: 'parley_watch_failures_total',
      help: 'Looks at what changed in the database that failed: until one works, sockets here hear only what is done here.',
      registers,
    }),
    watchResets: new Counter({
      name: 'parley_watch_resets_total',
      help: 'Times when it was not known what changed in the database, so that all sockets were closed to begin anew.',
      registers,
    }),
    unhandled: new Counter({
      name: 'parley_unhandled_errors_total',
      help: 'Failures that nobody waited for.',
      registers,
    }),
  }
}
export type Measures = ReturnType<typeof openMeasures>

/** What is read at the moment somebody asks. */
export interface Sources {
  io: Realtime
  pools: Record<string, pg.Pool>
  /** Things that wait for their turn, by the queue they wait in. */
  queues: Record<string, () => number>
  socketBytes: () => { all: number; most: number }
  answerBytes: () => number
  bodyBytes: () => number
  cacheBytes: Map<string, () => number>
}

/** Counts every answer, and reads the state of the process when it is asked for. */
export function measure(
  app: FastifyInstance,
  { registry, requests, durations, unhandled }: Measures,
  sources: Sources,
) {
  app.decorate('failed', (error: unknown) => {
    unhandled.inc()
    app.log.error({ err: error }, 'a failure that nobody waited for')
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = templateOf(request)
    requests.inc({ method, route, status: reply.statusCode })
    durations.observe({ method, route }, reply.elapsedTime / 1000)
    done()
  })
  collectDefaultMetrics({ register: registry })
  readState(registry, sources)
}

/** A call's template; the files of the page, each of which is a route, are one. */
function templateOf(request: FastifyRequest) {
  const { url, config } = request.routeOptions
  if (url === undefined) return 'none'
  return isCall(request) || config.isUnlimited ? url : 'page'
}

function readState(
  registry: Registry,
  { io, pools, queues, socketBytes, answerBytes, bodyBytes, cacheBytes }: Sources,
) {
  const registers = [registry]
  new Gauge({
    name: 'parley_sockets',
    help: 'Live connections, by the way they came.',
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
    help: 'Connections of sockets, those that have not said who they are too.',
    registers,
    collect() {
      this.set(io.engine.clientsCount)
    },
  })
  new Gauge({
    name: 'parley_socket_bytes_waiting',
    help: 'Bytes that waited for sockets at the last look: of all, and of the one with the most.',
    labelNames: ['of'],
    registers,
    collect() {
      for (const [of, bytes] of Object.entries(socketBytes())) this.set({ of }, bytes)
    },
  })
  new Gauge({
    name: 'parley_answer_bytes_waiting',
    help: 'Bytes of answers that were written and not taken by the other side.',
    registers,
    collect() {
      this.set(answerBytes())
    },
  })
  new Gauge({
    name: 'parley_body_bytes',
    help: 'Bytes of large bodies of requests that are coming or worked at.',
    registers,
    collect() {
      this.set(bodyBytes())
    },
  })
  new Gauge({
    name: 'parley_cache_bytes',
    help: 'Bytes that are kept to be answered again.',
    labelNames: ['cache'],
    registers,
    collect() {
      for (const [cache, read] of cacheBytes) this.set({ cache }, read())
    },
  })
  new Gauge({
    name: 'parley_waiting',
    help: 'What is under way or waits for its turn.',
    labelNames: ['queue'],
    registers,
    collect() {
      for (const [queue, read] of Object.entries(queues)) this.set({ queue }, read())
    },
  })
  new Gauge({
    name: 'parley_database_connections',
    help: 'Connections to the database, and queries that wait for one.',
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

/** With a token only to who has it; without one only to this machine itself. To all others it is not there. */
function mayRead({ headers, caller }: FastifyRequest, { metricsToken }: Config) {
  if (metricsToken === undefined) return caller.isLoopback
  const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
  return timingSafeEqual(digest(token), digest(metricsToken))
}

/** `GET /metrics`; docs/running/monitoring.md says what to make of it. */
export function mountMetrics(app: FastifyInstance, { registry }: Measures) {
  app.get('/metrics', unlimited, async (request, reply) => {
    if (!mayRead(request, app.config)) throw notFound('Page')
    reply.header('cache-control', 'no-store')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
