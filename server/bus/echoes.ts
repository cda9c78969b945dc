import type { Logger } from '../process/logger.ts'
import type { BusObserver } from './bus.ts'

/** A packet that has not come back for this long makes the bus unavailable. */
const ECHO_TIMEOUT_MS = 3_000
const MAX_ECHOES = 1_000

export type Echoes = ReturnType<typeof createEchoes>

/** Waits for this node's own packets to come back, so that a dead engine is noticed, however it died. */
export function createEchoes(observer: BusObserver, log: Logger) {
  /** When packets were sent that have not come back, by their numbers. Nothing comes back before there is a connection. */
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

  /** How long the oldest packet has been on its way. */
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
    /** What has not come back may be lost, and the other nodes hear of it by its number. @param current is sent again */
    onConnected(current: number | undefined) {
      for (const it of sentAt.keys()) if (it !== current) sentAt.delete(it)
    },
    /** What has not come back may be lost. A packet after `last` takes its place, and shows that the connection works again. */
    onDisconnected(last: number) {
      if (sentAt.size === 0) sentAt.set(last, performance.now())
    },
  }
}
