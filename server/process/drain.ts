import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from './logger.ts'

interface Options {
  /** Grace period from the request to stop. The node stops immediately if it is 0, or if there are no other nodes. */
  seconds: number
  /** The other live nodes. */
  peers: () => string[]
  /** The clients' sockets. */
  connections: () => { close(): void }[]
  pending: () => number
  server: { maxRequestsPerSocket: number | null }
  log: Logger
}

export interface Drain {
  isDraining(): boolean
  /** How many requests and answers a stop would cut off. */
  pending(): number
  /** Resolves once this node may be closed. @param hurry aborted if there is no time left */
  run(hurry: AbortSignal): Promise<void>
}

/** Load balancers need two or three health checks to stop sending requests. */
const MAX_NOTICE_MS = 3000
const NOTICE_SHARE = 1 / 10
/** Connections are closed gradually, so that the other nodes don't receive all clients at once. */
const MAX_CLOSING_MS = 10_000
const CLOSING_SHARE = 1 / 3
const CLOSING_STEP_MS = 100
const CHECK_INTERVAL_MS = 50

/**
 * Moves this node's clients to the other nodes before it stops. Until the end it answers requests, because load balancers take
 * a moment to notice, and keeps delivering events.
 */
export function createDrain({ seconds, peers, connections, pending, server, log }: Options): Drain {
  const totalMs = seconds * 1000
  let isDraining = false

  async function run(hurry: AbortSignal) {
    if (totalMs === 0 || hurry.aborted || peers().length === 0) return
    isDraining = true
    log.info('draining: moving clients to the other nodes')
    // From now on each response closes its connection, so that the next request opens one to another node.
    server.maxRequestsPerSocket = 1
    const end = AbortSignal.any([hurry, AbortSignal.timeout(totalMs)])
    // `sleep` rejects when aborted.
    const wait = (ms: number) => sleep(ms, undefined, { signal: end }).catch(() => {})

    await wait(Math.min(MAX_NOTICE_MS, totalMs * NOTICE_SHARE))
    // Clients that reconnect to this node stay until it closes: they know of no other address.
    const open = connections()
    const steps = Math.min(MAX_CLOSING_MS, totalMs * CLOSING_SHARE) / CLOSING_STEP_MS
    const closedPerStep = Math.ceil(open.length / steps)
    while (open.length > 0 && !end.aborted) {
      // The client takes it for a network failure and reconnects after a random delay.
      for (const connection of open.splice(0, closedPerStep)) connection.close()
      await wait(CLOSING_STEP_MS)
    }
    while (pending() > 0 && !end.aborted) await wait(CHECK_INTERVAL_MS)
    if (pending() > 0) log.warn({ pending: pending() }, 'stopping with requests in progress')
  }

  return { isDraining: () => isDraining, pending, run }
}
