import type { Db } from '../db/database.ts'
import { readLiveNodes } from '../db/live-nodes.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'
import type { Bus } from './bus.ts'

interface Options {
  db: Db
  bus: Pick<Bus, 'peers' | 'isUnavailable'>
  /** This node. */
  node: string
  log: Logger
}

const FIRST_LOOK_MS = 3_000
const LOOK_INTERVAL_MS = 60_000
/** Nodes that start or stop are on the database but not on the bus for a moment. */
const CONFIRM_INTERVAL_MS = 5_000

/**
 * Detects nodes that share the database but not the bus, because REDIS_URL differs. Each bus works on its own, so nothing else
 * would report it.
 */
export function watchUnheardNodes({ db, bus, node, log }: Options) {
  let suspects = new Set<string>()
  let unheard: string[] = []

  async function look() {
    const peers = bus.peers()
    const live = await readLiveNodes(db)
    // An unavailable bus is reported elsewhere.
    const silent = bus.isUnavailable() ? [] : live.filter((it) => it !== node && !peers.includes(it))
    const confirmed = silent.filter((it) => suspects.has(it))
    suspects = new Set(silent)
    if (confirmed.length > 0 && unheard.length === 0)
      log.warn(
        { nodes: confirmed.length },
        'other nodes use this database, and nothing is heard of them: either they hang, or REDIS_URL is not the same on all nodes',
      )
    if (confirmed.length === 0 && unheard.length > 0) log.info('all nodes that use this database are heard')
    unheard = confirmed
    return silent.length > confirmed.length ? CONFIRM_INTERVAL_MS : undefined
  }

  const failure = 'it is not known which nodes use this database'
  const stop = startPolling({ intervalMs: LOOK_INTERVAL_MS, firstDelayMs: FIRST_LOOK_MS, log, failure }, look)
  return { stop, count: () => unheard.length }
}
