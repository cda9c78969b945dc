import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Counter } from 'prom-client'
import { rateLimited } from '../errors.ts'
import { onceClosed } from '../http/once-closed.ts'
import type { Bounds } from './bounds.ts'

/** Smaller responses are not counted; the number of requests in progress limits them. */
const MIN_COUNTED_BYTES = 4096

interface UnreadResponse {
  bytes: number
  owners: string[]
  connection: Socket
  /** A file has no timeout; it may be aborted once the client stops reading. */
  isFile: boolean
  /** When it was sent, or when the client last read some of the file. */
  progressAt: number
  /** The connection's `bytesWritten` at that time. */
  bytesWritten: number
  release: () => void
}

interface ResponseLimits {
  /** Response bytes that clients have not read yet. */
  unread(): number
  stop(): void
}

/**
 * Limits the memory held by responses that clients don't read: the whole body until the operating system has accepted the
 * last byte, or a constant for a streamed file.
 */
export function limitResponses(app: FastifyInstance, bounds: Bounds, aborted: Counter<'why'>): ResponseLimits {
  const unread = new Set<UnreadResponse>()
  const bytesOf = new Map<string, number>()
  let total = 0

  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = bytesHeld(payload, reply.getHeader('content-length'), bounds.downloadBytes)
    // Errors are always sent.
    if (bytes < MIN_COUNTED_BYTES || reply.statusCode >= 400) return done()
    const owners = ownersOf(request, bounds)
    const isFull = ([owner, max]: [string, number]) => (bytesOf.get(owner) ?? 0) + bytes > max
    for (const full of owners.filter(isFull)) abortStalledDownloads(full[0], () => isFull(full))
    if (owners.some(isFull)) {
      if (payload instanceof Readable) payload.destroy()
      return done(rateLimited(1))
    }
    const names = owners.map(([owner]) => owner)
    onceClosed(reply.raw, count(bytes, names, request.raw.socket, payload instanceof Readable))
    return done()
  })

  /** Returns a function that stops counting the response. */
  function count(bytes: number, owners: string[], connection: Socket, isFile: boolean) {
    const add = (more: number) => {
      total += more
      for (const owner of owners) {
        const left = (bytesOf.get(owner) ?? 0) + more
        if (left > 0) bytesOf.set(owner, left)
        else bytesOf.delete(owner)
      }
    }
    const release = () => {
      if (unread.delete(response)) add(-bytes)
    }
    const { bytesWritten } = connection
    const response: UnreadResponse = {
      bytes,
      owners,
      connection,
      isFile,
      progressAt: performance.now(),
      bytesWritten,
      release,
    }
    add(bytes)
    unread.add(response)
    if (total > bounds.unreadBytes.total)
      for (const stalled of byProgress()) {
        if (total <= bounds.unreadBytes.total) break
        abort(stalled, 'crowded')
      }
    return release
  }

  function abort({ release, connection }: UnreadResponse, why: 'slow' | 'crowded' | 'paused') {
    release()
    aborted.inc({ why })
    // The response may be queued behind another one on the same connection.
    connection.destroy()
  }

  /** Longest stalled first. */
  const byProgress = () => [...unread].sort((a, b) => a.progressAt - b.progressAt)

  /** A paused player leaves its download unread, and requests the rest when it resumes. */
  function abortStalledDownloads(owner: string, isFull: () => boolean) {
    const since = performance.now() - bounds.stalledDownloadMs
    for (const response of byProgress()) {
      if (!isFull() || response.progressAt > since) return
      if (response.isFile && response.owners.includes(owner)) abort(response, 'paused')
    }
  }

  const timer = setInterval(() => {
    const now = performance.now()
    for (const response of unread) {
      const { bytes, isFile, connection, progressAt, bytesWritten } = response
      if (!isFile && now - progressAt > readTimeout(bytes, bounds)) abort(response, 'slow')
      if (isFile && connection.bytesWritten > bytesWritten)
        Object.assign(response, { progressAt: now, bytesWritten: connection.bytesWritten })
    }
  }, bounds.checkIntervalMs)

  return { unread: () => total, stop: () => clearInterval(timer) }
}

/** How long a client may take to read a response of this size, in milliseconds. */
export const readTimeout = (
  bytes: number,
  { readTimeoutMs, minBytesPerSecond }: Pick<Bounds, 'readTimeoutMs' | 'minBytesPerSecond'>,
) => readTimeoutMs + (bytes / minBytesPerSecond) * 1000

/** The user and the address that a response counts towards, each with its limit of unread bytes. */
function ownersOf({ userId, caller }: FastifyRequest, { unreadBytes }: Bounds): [string, number][] {
  const address: [string, number] = [caller.rateLimitKey, unreadBytes.perAddress]
  return userId ? [[userId, unreadBytes.perUser], address] : [address]
}

/** The memory that a response holds. @param maxOfStream the most that a stream holds, because it reads on demand */
function bytesHeld(payload: unknown, length: unknown, maxOfStream: number): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  if (Buffer.isBuffer(payload)) return payload.length
  if (payload instanceof Readable) return Math.min(maxOfStream, length === undefined ? maxOfStream : Number(length))
  return 0
}
