import type { FastifyRequest } from 'fastify'

/** The rest of an unread body is read for this long, because clients receive the response only after sending it. */
const DRAIN_TIMEOUT_MS = 30_000

/** Reads and drops the rest of a body, because clients receive the response only after sending it. */
export function drain({ raw }: FastifyRequest) {
  if (raw.complete || raw.destroyed) return
  raw.unpipe()
  raw.resume()
  const timer = setTimeout(() => raw.destroy(), DRAIN_TIMEOUT_MS).unref()
  raw.once('close', () => clearTimeout(timer))
}
