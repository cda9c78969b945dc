import { Transform } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { busy, rateLimited } from '../errors.ts'
import { onceClosed } from '../http/once-closed.ts'
import type { Bounds } from './bounds.ts'

/** Smaller bodies are not counted; the number of requests per address limits them. */
const MIN_COUNTED_BYTES = 16 * 1024

/**
 * Limits the memory held by large request bodies, per address and in total, from their first byte until the response.
 * Small bodies (nearly all of them) always pass. Files are streamed.
 */
export function limitBodies(app: FastifyInstance, { largeBodyBytes }: Bounds) {
  const bytesOf = new Map<string, number>()
  let total = 0

  app.addHook('preParsing', (request, reply, payload, done) => {
    const { streamsFile, isUnlimited } = request.routeOptions.config
    const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    if (streamsFile || isUnlimited || length <= MIN_COUNTED_BYTES) return done(null, payload)

    const address = request.caller.rateLimitKey
    let counted = 0
    let isOver = false
    const count = (bytes: number) => {
      counted += bytes
      total += bytes
      const left = (bytesOf.get(address) ?? 0) + bytes
      if (left > 0) bytesOf.set(address, left)
      else bytesOf.delete(address)
    }
    const body = Object.assign(
      new Transform({
        transform(chunk: Buffer, _, next) {
          if (isOver) return next()
          body.receivedEncodedLength += chunk.length
          const isAddressFull = (bytesOf.get(address) ?? 0) + chunk.length > largeBodyBytes.perAddress
          const isFull = isAddressFull || total + chunk.length > largeBodyBytes.total
          if (body.receivedEncodedLength > MIN_COUNTED_BYTES && isFull) {
            // The rest of the body stays unread.
            reply.header('connection', 'close')
            return next(isAddressFull ? rateLimited(1) : busy('too many bytes of request bodies'))
          }
          count(chunk.length)
          return next(null, chunk)
        },
      }),
      // Fastify compares it with the content-length header.
      { receivedEncodedLength: 0 },
    )
    onceClosed(reply.raw, () => {
      // The request may have been rejected before its body was read.
      isOver = true
      body.resume()
      count(-counted)
    })
    payload.once('error', (error) => body.destroy(error))
    return done(null, payload.pipe(body))
  })
  return { held: () => total }
}
