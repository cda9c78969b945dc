import { unavailable } from '../errors.ts'

/** What ended is known within a second on all nodes; what was read longer ago decides nothing. */
const MAX_AGE_MS = 1000
const MAX_WAIT_MS = 2500

export type Freshness = ReturnType<typeof createFreshness>

interface Waiting {
  turn: number
  resolve: () => void
  reject: () => void
}

/**
 * Knows how long ago the last poll for changes began. After a pause of the process, or while the database is away, that may
 * be long: sessions may have ended and members been removed, and this node does not know it yet. Whatever comes then waits
 * for a poll that begins after it came.
 */
export function createFreshness() {
  let polledAt = readClocks()
  /** Polls that have begun. */
  let turn = 0
  const waiting = new Set<Waiting>()
  let onStale = () => {}
  let onApplied = (_turn: number) => {}

  const isFresh = () => ageOf(polledAt) < MAX_AGE_MS

  return {
    isFresh,
    /** What waits now may go on when the next poll has been applied, or a later one. Grows with each poll. */
    turn: () => turn,
    /** @throws AppError 503 if the database does not tell in time */
    async untilFresh() {
      if (isFresh()) return
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(waiter)
          reject(unavailable('no poll for changes succeeded in time'))
        }, MAX_WAIT_MS)
        const ending = (end: () => void) => () => {
          clearTimeout(timer)
          waiting.delete(waiter)
          end()
        }
        const waiter = {
          turn,
          resolve: ending(resolve),
          reject: ending(() => reject(unavailable('no poll for changes succeeded in time'))),
        }
        waiting.add(waiter)
        onStale()
      })
    },
    /** Call before a poll. @returns what to call once its result has been applied */
    begin() {
      const began = readClocks()
      const came = turn++
      return () => {
        polledAt = began
        onApplied(came)
        for (const waiter of [...waiting]) if (waiter.turn <= came) waiter.resolve()
      }
    },
    /** The database does not tell: nobody waits any longer. */
    failed() {
      for (const { reject } of [...waiting]) reject()
    },
    /** @param stale called when somebody waits for the next poll @param applied called with the turn of each poll */
    follow(stale: () => void, applied: (turn: number) => void) {
      onStale = stale
      onApplied = applied
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
