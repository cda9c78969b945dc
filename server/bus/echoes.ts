import type { Logger } from '../process/logger.ts'
import type { BusObserver } from './bus.ts'

/** A packet that has not come back for this long makes the bus unavailable. */
const ECHO_TIMEOUT_MS = 3_000
const MAX_ECHOES = 1_000

export type Echoes = ReturnType<typeof createEchoes>

/** Tracks this node's own packets until the engine echoes them, which detects a dead engine whatever the cause. */
export function createEchoes(observer: BusObserver, log: Logger) {
  /** Send times of packets without an echo, by number. The 0 stands for the connection that doesn't exist yet. */
  const sentAt = new Map<number, number>([[0, performance.now()]])
  let isUnavailable = false

  function check() {
    const isLate = waitedMs() > ECHO_TIMEOUT_MS
    if (isLate === isUnavailable) return
    isUnavailable = isLate
    if (isLate)
      log.warn('nothing that this node sends to the bus comes back: events of other nodes arrive a little later')
    else log.info('the bus is available again')
  }

  /** Age of the oldest packet without an echo. */
  function waitedMs() {
    const [oldest = Number.POSITIVE_INFINITY] = sentAt.values()
    return performance.now() - oldest
  }

  return {
    check,
    waitedMs,
    isUnavailable: () => isUnavailable,
    onSent(n: number, at: number) {
      if (!sentAt.has(n) && sentAt.size < MAX_ECHOES) sentAt.set(n, at)
    },
    onEcho(n: number) {
      const sent = sentAt.get(n)
      if (sent !== undefined) observer.onEcho((performance.now() - sent) / 1000)
      for (const it of sentAt.keys()) if (it <= n) sentAt.delete(it)
      check()
    },
    /** Packets without an echo may be lost; peers notice the missing number. @param current is sent again */
    onConnected(current: number | undefined) {
      for (const it of sentAt.keys()) if (it !== current) sentAt.delete(it)
    },
    /** Expects the echo of a packet after `last`, so that a restored connection is noticed. */
    onDisconnected(last: number) {
      if (sentAt.size === 0) sentAt.set(last, performance.now())
    },
  }
}
