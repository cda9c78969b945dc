import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from './logger.ts'

interface Options {
  /** From the request to stop. Without any, or without other nodes, it stops at once. */
  seconds: number
  /** The other live nodes. */
  peers: () => string[]
  /** Those of the clients' sockets. */
  connections: () => { close(): void }[]
  pending: () => number
  server: { maxRequestsPerSocket: number | null }
  log: Logger
}

export interface Drain {
  isDraining(): boolean
  /** How many requests and answers would be cut off. */
  pending(): number
  /** Resolves once this node may be closed. @param hurry aborted if there is no time left */
  run(hurry: AbortSignal): Promise<void>
}

/** Load balancers need two or three health checks to send nothing more. */
const MAX_NOTICE_MS = 3000
const NOTICE_SHARE = 1 / 10
/** Closed over this time, so that the other nodes do not receive all clients at once. */
const MAX_CLOSING_MS = 10_000
const CLOSING_SHARE = 1 / 3
const CLOSING_STEP_MS = 100
const CHECK_INTERVAL_MS = 50

/**
 * Hands this node's clients over to the other nodes before it stops. It answers requests until the end, because load
 * balancers take a moment to notice, and sends and receives events as before.
 */
export function createDrain({ seconds, peers, connections, pending, server, log }: Options): Drain {
  const totalMs = seconds * 1000
  let isDraining = false

  async function run(hurry: AbortSignal) {
    if (totalMs === 0 || hurry.aborted || peers().length === 0) return
    isDraining = true
    log.info('stopping once clients and requests have moved to the other nodes')
    // From now on each response closes its connection, so that the next request opens one to another node.
    server.maxRequestsPerSocket = 1
    const end = AbortSignal.any([hurry, AbortSignal.timeout(totalMs)])
    // Rejects when aborted.
    const wait = (ms: number) => sleep(ms, undefined, { signal: end }).catch(() => {})

    await wait(Math.min(MAX_NOTICE_MS, totalMs * NOTICE_SHARE))
    // Those that come back to this node stay until it closes: nothing tells them about the others.
    const open = connections()
    const steps = Math.min(MAX_CLOSING_MS, totalMs * CLOSING_SHARE) / CLOSING_STEP_MS
    const closedPerStep = Math.ceil(open.length / steps)
    while (open.length > 0 && !end.aborted) {
      // The client takes it for a network failure and reconnects by itself, after a random delay.
      for (const connection of open.splice(0, closedPerStep)) connection.close()
      await wait(CLOSING_STEP_MS)
    }
    while (pending() > 0 && !end.aborted) await wait(CHECK_INTERVAL_MS)
    if (pending() > 0) log.warn({ pending: pending() }, 'stopping cuts off requests under way')
  }

  return { isDraining: () => isDraining, pending, run }
}
