import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { busy, rateLimited } from '../errors.ts'
import { isCall } from '../http/front-door.ts'
import { onceClosed } from '../http/once-closed.ts'
import type { Bounds, RateName } from './bounds.ts'
import { openPlaces } from './places.ts'
import type { Limiter } from './rate-limiter.ts'

interface Options {
  limiter: Limiter
  bounds: Bounds
}

/** Before anything is known of who asks: the address, how much is under way already, and how long a body may take. */
export function limitRequests(app: FastifyInstance, { limiter, bounds }: Options) {
  const { rateLimit } = app.config
  const places = openPlaces()
  let underWay = 0
  const left = () => {
    underWay--
  }
  // Without promises: every request passes here.
  app.addHook('onRequest', (request, reply, done) => {
    const { config, url } = request.routeOptions
    if (config.isUnlimited) return done()
    const { rateLimitKey } = request.caller
    // Counted until the connection is done with it, also where that ends before an answer.
    const held = places.enter(rateLimitKey)
    onceClosed(reply.raw, () => places.leave(rateLimitKey))
    // The page's own files are not counted; what is no file of it, and answered by the page, is.
    if (isCall(request) || url === undefined) limiter.consume('address', rateLimitKey)
    if (rateLimit && held > bounds.requestsOfAddress) throw rateLimited(1)
    if (!config.streamsFile) expectBody(request, reply, bounds.slowBody)
    return done()
  })
  // A request takes a place of the node's when its body is there: waiting for it costs its own address alone.
  app.addHook('preValidation', ({ routeOptions: { config } }, reply, done) => {
    if (config.isUnlimited) return done()
    underWay++
    onceClosed(reply.raw, left)
    if (underWay > bounds.requests) throw busy()
    return done()
  })
  return { underWay: () => underWay }
}

/** Cuts a request whose body does not come; that of a file takes as long as something of it comes. */
function expectBody({ method, raw }: FastifyRequest, reply: FastifyReply, ms: number) {
  if (method === 'GET' || method === 'HEAD' || raw.complete) return
  const timer = setTimeout(() => {
    if (raw.complete) return
    // A refusal may have been said already, without waiting for the rest.
    if (!reply.raw.headersSent)
      raw.socket?.write?.('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    raw.socket?.destroySoon?.()
  }, ms)
  timer.unref()
  raw.once('close', () => clearTimeout(timer))
}

const SENDS = ['/api/messages', '/api/threads/messages']

/** Which of a person's rates a call takes from; the address as it was registered, however it was written. */
function rateOf({ method, routeOptions: { url = '' } }: FastifyRequest): RateName {
  if (method === 'GET' || method === 'HEAD' || url === '/api/sync') return 'reads'
  return method === 'POST' && SENDS.includes(url) ? 'sends' : 'writes'
}

/** Once it is known who asks. A database that is far behind is not given more to do. */
export function limitUsers(signedIn: FastifyInstance, { limiter, bounds }: Options) {
  const { pool } = signedIn
  signedIn.addHook('onRequest', (request, _, done) => {
    limiter.consume(rateOf(request), request.userId)
    if (pool.waitingCount >= bounds.queries) throw busy()
    done()
  })
}
