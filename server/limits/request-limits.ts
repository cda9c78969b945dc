import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { busy, rateLimited } from '../errors.ts'
import { isCall } from '../http/caller.ts'
import { onceClosed } from '../http/once-closed.ts'
import type { Bounds, RateName } from './bounds.ts'
import { createKeyCounter } from './key-counter.ts'
import type { Limiter } from './rate-limiter.ts'

interface Options {
  limiter: Limiter
  bounds: Bounds
}

/** Limits requests before authentication: their rate per address, their number in progress, and the time for a body. */
export function limitRequests(app: FastifyInstance, { limiter, bounds }: Options) {
  const { rateLimit } = app.config
  const ofAddress = createKeyCounter()
  let inProgress = 0
  const leave = () => {
    inProgress--
  }
  // Callbacks instead of promises: this runs for every request.
  app.addHook('onRequest', (request, reply, done) => {
    const { config, url } = request.routeOptions
    if (config.isUnlimited) return done()
    const { rateLimitKey } = request.caller
    // Counted until the response ends, or the connection closes before it.
    const count = ofAddress.enter(rateLimitKey)
    onceClosed(reply.raw, () => ofAddress.leave(rateLimitKey))
    // The web client's own files are free. Unknown paths, which it answers as well, are not.
    if (isCall(request) || url === undefined) limiter.consume('address', rateLimitKey)
    if (rateLimit && count > bounds.requestsPerAddress) throw rateLimited(1)
    if (!config.streamsFile) limitBodyTime(request, reply, bounds.bodyTimeoutMs)
    return done()
  })
  // A request counts towards the node's limit once its body has arrived; until then only towards its address's.
  app.addHook('preValidation', ({ routeOptions: { config } }, reply, done) => {
    if (config.isUnlimited) return done()
    inProgress++
    onceClosed(reply.raw, leave)
    if (inProgress > bounds.requests) throw busy(`${bounds.requests} requests are in progress`)
    return done()
  })
  return { inProgress: () => inProgress }
}

/** Closes the connection of a request whose body does not arrive in time. */
function limitBodyTime({ method, raw }: FastifyRequest, reply: FastifyReply, ms: number) {
  if (method === 'GET' || method === 'HEAD' || raw.complete) return
  const timer = setTimeout(() => {
    if (raw.complete) return
    // An error may have been sent already, without waiting for the body.
    if (!reply.raw.headersSent)
      raw.socket?.write?.('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    raw.socket?.destroySoon?.()
  }, ms)
  timer.unref()
  raw.once('close', () => clearTimeout(timer))
}

/** The user's rate that a call consumes, unless its route names another. */
const usualRate = (method: string): RateName => (method === 'GET' || method === 'HEAD' ? 'reads' : 'writes')

/** Limits authenticated requests: by the user's rates, and by the number of queries waiting for a connection. */
export function limitUsers(signedIn: FastifyInstance, { limiter, bounds }: Options) {
  const { pool } = signedIn
  signedIn.addHook('onRequest', (request, _, done) => {
    limiter.consume(request.routeOptions.config.rate ?? usualRate(request.method), request.userId)
    if (pool.waitingCount >= bounds.queries) throw busy(`${bounds.queries} queries wait for a connection`)
    done()
  })
}
