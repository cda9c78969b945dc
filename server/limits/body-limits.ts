import { Transform } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { busy, rateLimited } from '../errors.ts'
import { onceClosed } from '../http/once-closed.ts'
import type { Bounds } from './bounds.ts'

/** Bodies of fewer bytes are not counted: those are bounded by the number of requests of an address. */
const SMALL = 16 * 1024

/**
 * Bounds what is held of large bodies, from their first byte until the request was answered: of one address, and of all.
 * Small ones, as nearly all are, come through whatever others send. Those of files are not held.
 */
export function limitBodies(app: FastifyInstance, { bodies }: Bounds) {
  const bytesOf = new Map<string, number>()
  let all = 0

  app.addHook('preParsing', (request, reply, payload, done) => {
    const { streamsFile, isUnlimited } = request.routeOptions.config
    const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    if (streamsFile || isUnlimited || length <= SMALL) return done(null, payload)

    const address = request.caller.rateLimitKey
    let held = 0
    let isOver = false
    const hold = (bytes: number) => {
      held += bytes
      all += bytes
      const left = (bytesOf.get(address) ?? 0) + bytes
      if (left > 0) bytesOf.set(address, left)
      else bytesOf.delete(address)
    }
    const counted = Object.assign(
      new Transform({
        transform(chunk: Buffer, _, next) {
          if (isOver) return next()
          counted.receivedEncodedLength += chunk.length
          const isOfAddress = (bytesOf.get(address) ?? 0) + chunk.length > bodies.address
          if (counted.receivedEncodedLength > SMALL && (isOfAddress || all + chunk.length > bodies.all)) {
            // What is left of it is not read.
            reply.header('connection', 'close')
            return next(isOfAddress ? rateLimited(1) : busy())
          }
          hold(chunk.length)
          return next(null, chunk)
        },
      }),
      // The framework compares it with what the head says.
      { receivedEncodedLength: 0 },
    )
    onceClosed(reply.raw, () => {
      // It may have been refused without being read.
      isOver = true
      counted.resume()
      hold(-held)
    })
    payload.once('error', (error) => counted.destroy(error))
    return done(null, payload.pipe(counted))
  })
  return { held: () => all }
}
