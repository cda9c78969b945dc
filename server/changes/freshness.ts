import { unavailable } from '../errors.ts'

/** What ended is known within a second on all nodes; what was read longer ago decides nothing. */
const MAX_AGE_MS = 1000
const MAX_WAIT_MS = 3000

export type Freshness = ReturnType<typeof createFreshness>

/**
 * Knows how long ago the last poll for changes began. After a pause of the process, or while the database is away, that may
 * be long: sessions may have ended and members been removed, and this node does not know it yet.
 */
export function createFreshness() {
  let polledAt = readClocks()
  let waiting: { resolve: () => void; reject: (error: Error) => void }[] = []
  let onFresh = () => {}
  let onStale = () => {}

  const isFresh = () => ageOf(polledAt) < MAX_AGE_MS

  function settle(how: (waiter: (typeof waiting)[number]) => void) {
    const settled = waiting
    waiting = []
    for (const waiter of settled) how(waiter)
  }

  return {
    isFresh,
    /** @throws AppError 503 if the database does not tell in time */
    async untilFresh() {
      if (isFresh()) return
      onStale()
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(unavailable()), MAX_WAIT_MS)
        const settled = (settle: () => void) => () => {
          clearTimeout(timer)
          settle()
        }
        waiting.push({ resolve: settled(resolve), reject: settled(() => reject(unavailable())) })
      })
    },
    /** Call before a poll. @returns what to call once its result has been applied */
    begin() {
      const began = readClocks()
      return () => {
        polledAt = began
        if (!isFresh()) return onStale()
        onFresh()
        settle(({ resolve }) => resolve())
      }
    },
    failed: () => settle(({ reject }) => reject(unavailable())),
    /** @param stale called when somebody waits for the next poll @param fresh called after each poll in time */
    follow(stale: () => void, fresh: () => void) {
      onStale = stale
      onFresh = fresh
    },
  }
}

interface Clocks {
  monotonicMs: number
  wallMs: number
}

const readClocks = (): Clocks => ({ monotonicMs: performance.now(), wallMs: Date.now() })

/** While a machine is suspended, one of its clocks may stand still; the other can be set back. */
function ageOf({ monotonicMs, wallMs }: Clocks) {
  const now = readClocks()
  return Math.max(now.monotonicMs - monotonicMs, now.wallMs - wallMs)
}
