import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Counter } from 'prom-client'
import type { Bounds } from './bounds.ts'
import { tooMuch } from './errors.ts'
import { onceClosed } from './once-closed.ts'

/** Answers of fewer bytes are not counted: those are bounded by the number of requests under way. */
const SMALL = 4096

interface Unread {
  /** When it was written; of a file, which takes as long as it takes, none. */
  since: number | undefined
  cut: (why: 'slow' | 'crowded') => void
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
  /** The oldest first. */
  const unread = new Set<Unread>()
  const bytesOf = new Map<string, number>()
  let all = 0

  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = weigh(payload, reply.getHeader('content-length'), bounds.download)
    // A refusal is always said.
    if (bytes < SMALL || reply.statusCode >= 400) return done()
    const owners = ownersOf(request, bounds)
    if (owners.some(([owner, most]) => (bytesOf.get(owner) ?? 0) + bytes > most)) {
      if (payload instanceof Readable) payload.destroy()
      return done(tooMuch(1))
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
    const cut: Unread['cut'] = (why) => {
      release()
      cuts.inc({ why })
      // The answer may wait behind another one on the same connection.
      connection.destroy()
    }
    const entry: Unread = { since: isFile ? undefined : Date.now(), cut }
    add(bytes)
    unread.add(entry)
    for (const oldest of unread) {
      if (all <= bounds.answers.all) break
      oldest.cut('crowded')
    }
    return release
  }

  const timer = setInterval(() => {
    for (const { since, cut } of unread) if (since !== undefined && Date.now() - since > bounds.slowAnswer) cut('slow')
  }, bounds.look)

  return { unread: () => all, stop: () => clearInterval(timer) }
}

/** Who an answer counts for, and how much of all theirs may be unread. */
function ownersOf({ userId, caller }: FastifyRequest, { answers }: Bounds): [string, number][] {
  const address: [string, number] = [caller.neighbourhood, answers.address]
  return userId ? [[userId, answers.person], address] : [address]
}

/** Bytes that are held of an answer. @param most of a stream, which reads on as it is read */
function weigh(payload: unknown, length: unknown, most: number): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  if (Buffer.isBuffer(payload)) return payload.length
  if (payload instanceof Readable) return Math.min(most, length === undefined ? most : Number(length))
  return 0
}
