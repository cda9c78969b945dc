import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Counter } from 'prom-client'
import { rateLimited } from '../errors.ts'
import { onceClosed } from '../http/once-closed.ts'
import type { Bounds } from './bounds.ts'

/** Answers of fewer bytes are not counted: those are bounded by the number of requests under way. */
const SMALL = 4096

interface Unread {
  bytes: number
  owners: string[]
  connection: Socket
  /** A file takes as long as it takes, if only some of it is taken now and then. */
  isFile: boolean
  /** When it was written, or some of the file was taken last. */
  movedAt: number
  /** What the connection had taken by then. */
  taken: number
  release: () => void
}

export interface AnswerLimits {
  /** Bytes of answers that were written and are not taken yet. */
  unread(): number
  stop(): void
}

/**
 * Bounds what is held of answers that the other side does not read. A body that was made whole is held until the system
 * has taken the last of it; of a file that is being read, a part.
 */
export function limitAnswers(app: FastifyInstance, bounds: Bounds, cuts: Counter<'why'>): AnswerLimits {
  const unread = new Set<Unread>()
  const bytesOf = new Map<string, number>()
  let all = 0

  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = weigh(payload, reply.getHeader('content-length'), bounds.download)
    // A refusal is always said.
    if (bytes < SMALL || reply.statusCode >= 400) return done()
    const owners = ownersOf(request, bounds)
    const isFull = ([owner, most]: [string, number]) => (bytesOf.get(owner) ?? 0) + bytes > most
    for (const full of owners.filter(isFull)) endPaused(full[0], () => isFull(full))
    if (owners.some(isFull)) {
      if (payload instanceof Readable) payload.destroy()
      return done(rateLimited(1))
    }
    const names = owners.map(([owner]) => owner)
    onceClosed(reply.raw, count(bytes, names, request.raw.socket, payload instanceof Readable))
    return done()
  })

  /** Answers how to end the counting. */
  function count(bytes: number, owners: string[], connection: Socket, isFile: boolean) {
    const add = (more: number) => {
      all += more
      for (const owner of owners) {
        const left = (bytesOf.get(owner) ?? 0) + more
        if (left > 0) bytesOf.set(owner, left)
        else bytesOf.delete(owner)
      }
    }
    const release = () => {
      if (unread.delete(entry)) add(-bytes)
    }
    const taken = connection.bytesWritten
    const entry: Unread = { bytes, owners, connection, isFile, movedAt: Date.now(), taken, release }
    add(bytes)
    unread.add(entry)
    if (all > bounds.answers.all)
      for (const stillest of inOrder()) {
        if (all <= bounds.answers.all) break
        cut(stillest, 'crowded')
      }
    return release
  }

  function cut({ release, connection }: Unread, why: 'slow' | 'crowded' | 'paused') {
    release()
    cuts.inc({ why })
    // The answer may wait behind another one on the same connection.
    connection.destroy()
  }

  /** Those of which nothing was taken for the longest come first: whoever still reads is cut last. */
  const inOrder = () => [...unread].sort((a, b) => a.movedAt - b.movedAt)

  /** A player that is paused leaves its file unread, and asks for the rest when it goes on; others need the room. */
  function endPaused(owner: string, isFull: () => boolean) {
    const since = Date.now() - bounds.paused
    for (const entry of inOrder()) {
      if (!isFull() || entry.movedAt > since) return
      if (entry.isFile && entry.owners.includes(owner)) cut(entry, 'paused')
    }
  }

  const timer = setInterval(() => {
    const now = Date.now()
    for (const entry of unread) {
      const { bytes, isFile, connection, movedAt, taken } = entry
      if (!isFile && now - movedAt > readTimeout(bytes, bounds)) cut(entry, 'slow')
      if (isFile && connection.bytesWritten > taken)
        Object.assign(entry, { movedAt: now, taken: connection.bytesWritten })
    }
  }, bounds.look)

  return { unread: () => all, stop: () => clearInterval(timer) }
}

/** Milliseconds that an answer of so many bytes may take to be read. */
export const readTimeout = (bytes: number, { slowAnswer, slowestLine }: Pick<Bounds, 'slowAnswer' | 'slowestLine'>) =>
  slowAnswer + (bytes / slowestLine) * 1000

/** Who an answer counts for, and how much of all theirs may be unread. */
function ownersOf({ userId, caller }: FastifyRequest, { answers }: Bounds): [string, number][] {
  const address: [string, number] = [caller.rateLimitKey, answers.address]
  return userId ? [[userId, answers.person], address] : [address]
}

/** Bytes that are held of an answer. @param most of a stream, which reads on as it is read */
function weigh(payload: unknown, length: unknown, most: number): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  if (Buffer.isBuffer(payload)) return payload.length
  if (payload instanceof Readable) return Math.min(most, length === undefined ? most : Number(length))
  return 0
}
