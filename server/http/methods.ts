import type { FastifyInstance, FastifyReply } from 'fastify'
import { methodNotAllowed, notFound } from '../errors.ts'
import { pathOf } from './caller.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Marks a route that answers unsupported methods. */
    isRefusal?: boolean
  }
}

interface Path {
  url: string
  /** Parameters start with a colon. */
  segments: string[]
  /** Of the paths that match a URL, the one with the lowest rank takes precedence. */
  rank: number
  methods: Set<string>
}

/**
 * Records the methods of each API path.
 * @returns a function to call after the last route is mounted: from then on, all other methods are answered with 405 and `Allow`
 */
export function recordMethods(app: FastifyInstance) {
  const paths = new Map<string, Path>()
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.isRefusal || !url.startsWith('/api/') || url.startsWith('/api/docs')) return
    const path = paths.get(url) ?? describe(url)
    for (const name of [method].flat()) path.methods.add(name)
    paths.set(url, path)
  })

  return function refuseOthers() {
    const sorted = [...paths.values()].sort((one, other) => one.rank - other.rank)
    mountShadowing(app, sorted)
    // Most requests with another method match no route. A route for each would double the time of a start.
    app.addHook('onRequest', (request, reply, done) => {
      if (!request.is404) return done()
      const segments = pathOf(request.raw).split('/')
      const path = sorted.find((it) => matches(it, segments))
      return path && !path.methods.has(request.method) ? done(refuse(path, reply)) : done()
    })
  }
}

/**
 * Mounts routes for methods that a less specific path has: `GET /api/users/me` would match `/api/users/:userId`, although
 * `/api/users/me` takes precedence.
 */
function mountShadowing(app: FastifyInstance, sorted: Path[]) {
  /** The methods of each path, with those that it refuses by a route. */
  const mounted = new Map<Path, Set<string>>()
  for (const path of sorted.toReversed()) {
    const lessSpecific = [...mounted].filter(([it]) => it.rank > path.rank && overlap(it, path))
    const matched = new Set(lessSpecific.flatMap(([, methods]) => [...methods]))
    mounted.set(path, new Set([...path.methods, ...matched]))
    const method = [...matched].filter((name) => !path.methods.has(name))
    if (method.length === 0) continue
    app.route({
      method,
      url: path.url,
      exposeHeadRoute: false,
      config: { isRefusal: true },
      // Runs before the body is read.
      onRequest: ({ params }, reply, done) => {
        // The router matches `/api/messages/` as a message with an empty id.
        if (Object.values(params as object).includes('')) return done(notFound('errors.pageNotFound'))
        return done(refuse(path, reply))
      },
      handler: async () => undefined,
    })
  }
}

function describe(url: string): Path {
  const segments = url.split('/')
  return { url, segments, rank: rankOf(segments), methods: new Set() }
}

function refuse({ methods }: Path, reply: FastifyReply) {
  const allow = [...methods].sort().join(', ')
  reply.header('allow', allow)
  return methodNotAllowed(allow)
}

const isParameter = (segment: string | undefined) => segment?.startsWith(':') === true

/** The router prefers constant segments to parameters, from left to right. */
const rankOf = (segments: string[]) => Number(segments.map((segment) => (isParameter(segment) ? 1 : 0)).join(''))

const matches = (path: Path, segments: string[]) =>
  path.segments.length === segments.length &&
  path.segments.every((part, i) => (isParameter(part) ? segments[i] !== '' : part === segments[i]))

/** Whether a URL can match both paths. */
const overlap = (one: Path, other: Path) =>
  one.segments.length === other.segments.length &&
  one.segments.every((part, i) => part === other.segments[i] || isParameter(part) || isParameter(other.segments[i]))
