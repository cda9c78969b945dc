import { createHash, timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { isHere } from './addresses.ts'
import type { Config } from './config.ts'
import { notFound } from './errors.ts'
import { watching } from './health.ts'
import { type Counter, type Histogram, type Metrics, openMetrics } from './metric-text.ts'
import type { Realtime } from './realtime.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Notes a failure that nobody waited for. */
    failed: (error: unknown) => void
  }
}

/** What happens on this node, counted from its start. */
export function openMeasures() {
  const metrics = openMetrics()
  const { counter, histogram } = metrics
  return {
    metrics,
    requests: counter('parley_http_requests_total', 'Answers, by call and status.', ['method', 'route', 'status']),
    durations: histogram(
      'parley_http_request_duration_seconds',
      'From the head of a request to the end of its answer.',
      ['method', 'route'],
    ),
    limited: counter('parley_rate_limited_total', 'Requests, sockets and events refused by a rate.', ['rate']),
    told: counter('parley_events_total', 'Events told, each to all who hear it.', ['event']),
    cut: counter('parley_sockets_cut_total', 'Sockets that were cut.', ['why']),
    dropped: counter('parley_socket_events_dropped_total', 'Things said by sockets and not listened to.', ['why']),
    unhandled: counter('parley_unhandled_errors_total', 'Failures that nobody waited for.'),
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
}

/** Milliseconds between two samples of the event loop, and over which they are kept. */
const SAMPLE = 20
const SPAN = 15_000

/** Counts every answer, and reads the state of the process when it is asked for. */
export function measure(app: FastifyInstance, { metrics, requests, durations, unhandled }: Measures, sources: Sources) {
  app.decorate('failed', (error: unknown) => {
    unhandled.add()
    app.log.error({ err: error }, 'a failure that nobody waited for')
  })
  countAnswers(app, requests, durations)
  readSockets(metrics, sources)
  const { queues, pools } = sources
  metrics.reading(
    'parley_waiting',
    'What is under way or waits for its turn.',
    () => Object.entries(queues).map(([name, read]) => [[name], read()]),
    ['queue'],
  )
  metrics.reading(
    'parley_database_connections',
    'Connections to the database, and queries that wait for one.',
    () =>
      Object.entries(pools).flatMap(([pool, { totalCount, idleCount, waitingCount }]) => [
        [[pool, 'used'], totalCount - idleCount],
        [[pool, 'idle'], idleCount],
        [[pool, 'waited_for'], waitingCount],
      ]),
    ['pool', 'state'],
  )
  readProcess(metrics)
  app.addHook('onClose', readEventLoop(metrics))
}

/** Every answer takes from two maps that know it by its route: its labels are written once. */
function countAnswers(app: FastifyInstance, requests: Counter, durations: Histogram) {
  interface Call {
    took: (seconds: number) => void
    ended: Map<number, () => void>
  }
  const calls = new Map<string, Map<object, Call>>()

  function callOf(request: FastifyRequest) {
    const { method, routeOptions } = request
    const ofMethod = calls.get(method) ?? new Map<object, Call>()
    calls.set(method, ofMethod)
    const known = ofMethod.get(routeOptions.config)
    if (known) return known
    const call = { took: durations.at([method, templateOf(routeOptions.url)]), ended: new Map() }
    ofMethod.set(routeOptions.config, call)
    return call
  }

  app.addHook('onResponse', (request, reply, done) => {
    const { took, ended } = callOf(request)
    took(reply.elapsedTime / 1000)
    const { statusCode } = reply
    let count = ended.get(statusCode)
    if (!count) {
      count = requests.at([request.method, templateOf(request.routeOptions.url), statusCode])
      ended.set(statusCode, count)
    }
    count()
    done()
  })
}

/** A call's template; the files of the page, each of which is a route, are one. */
function templateOf(url: string | undefined) {
  if (url === undefined) return 'none'
  return /^\/(api|healthz|readyz|metrics)\b/.test(url) ? url : 'page'
}

function readSockets(metrics: Metrics, { io, socketBytes }: Sources) {
  metrics.reading(
    'parley_sockets',
    'Live connections, by the way they came.',
    () => {
      const all = [...io.of('/').sockets.values()]
      const polling = all.filter(({ conn }) => conn.transport.name === 'polling').length
      return [
        [['websocket'], all.length - polling],
        [['polling'], polling],
      ]
    },
    ['transport'],
  )
  metrics.reading('parley_connections', 'Connections of sockets, those that have not said who they are too.', () => {
    return io.engine.clientsCount
  })
  metrics.reading(
    'parley_socket_bytes_waiting',
    'Bytes that waited for sockets at the last look: of all, and of the one with the most.',
    () => Object.entries(socketBytes()).map(([of, bytes]) => [[of], bytes]),
    ['of'],
  )
}

function readProcess(metrics: Metrics) {
  const startedAt = Date.now() / 1000 - process.uptime()
  metrics.reading('process_cpu_seconds_total', 'Processor time.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  metrics.reading('process_resident_memory_bytes', 'Memory that the process holds.', () => process.memoryUsage.rss())
  metrics.reading('process_start_time_seconds', 'When it started, in seconds since 1970.', () => startedAt)
  metrics.reading(
    'parley_memory_bytes',
    'Memory by its kind.',
    () => {
      const { heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage()
      return Object.entries({ heapTotal, heapUsed, external, arrayBuffers }).map(([kind, bytes]) => [[kind], bytes])
    },
    ['kind'],
  )
}

/** Answers how to stop sampling. */
function readEventLoop(metrics: Metrics) {
  const delays = monitorEventLoopDelay({ resolution: SAMPLE })
  delays.enable()
  // The histogram holds the time between two samples, in nanoseconds.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - SAMPLE / 1000)
  const read = (): [string[], number][] => [
    [['0.5'], late(delays.percentile(50))],
    [['0.99'], late(delays.percentile(99))],
    [['1'], late(delays.max)],
  ]
  // Of a whole span, so that each of several readers is told the same.
  let last: [string[], number][] | undefined
  const timer = setInterval(() => {
    last = read()
    delays.reset()
  }, SPAN)
  metrics.reading(
    'parley_event_loop_delay_seconds',
    `How late the event loop came to what was due, over some ${SPAN / 1000} seconds.`,
    () => last ?? read(),
    ['quantile'],
  )
  metrics.reading('parley_event_loop_active_seconds_total', 'Time in which the event loop had something to do.', () => {
    return performance.eventLoopUtilization().active / 1000
  })
  return async () => {
    clearInterval(timer)
    delays.disable()
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** With a token only to who has it; without one only to this machine itself. To all others it is not there. */
function mayRead({ headers, raw }: FastifyRequest, { metricsToken }: Config) {
  if (metricsToken === undefined) return isHere(headers, raw.socket.remoteAddress)
  const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
  return timingSafeEqual(digest(token), digest(metricsToken))
}

/** `GET /metrics`; docs/watching.md says what to make of it. */
export function mountMetrics(app: FastifyInstance, { metrics }: Measures) {
  app.get('/metrics', watching, async (request, reply) => {
    if (!mayRead(request, app.config)) throw notFound('Page')
    reply.header('cache-control', 'no-store')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics.write())
  })
}
