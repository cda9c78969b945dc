import { unavailable } from '../errors.ts'

/** Revocations reach all nodes within a second; a view older than that is stale. */
const MAX_AGE_MS = 1000
const MAX_WAIT_MS = 2500

export type Freshness = ReturnType<typeof createFreshness>

interface Waiting {
  turn: number
  resolve: () => void
  reject: () => void
}

/**
 * Tracks the age of the last poll for changes. If the process was paused or the database is down, this node may not know of
 * ended sessions and removed members. Requests and events then wait for a poll that starts after them.
 */
export function createFreshness() {
  let polledAt = readClocks()
  /** Number of polls started. */
  let turn = 0
  const waiting = new Set<Waiting>()
  let onStale = () => {}
  let onApplied = (_turn: number) => {}

  const isFresh = () => ageOf(polledAt) < MAX_AGE_MS

  return {
    isFresh,
    /** Anything that waits now may continue once a poll with a higher turn has been applied. */
    turn: () => turn,
    /** @throws AppError 503 if no poll succeeds in time */
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
    /** Polling failed: rejects all waiting calls. */
    failed() {
      for (const { reject } of [...waiting]) reject()
    },
    /** @param stale called when a call waits for the next poll @param applied called with the turn of each poll */
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

/** The monotonic clock may stop while the machine is suspended, and the wall clock can be set back. */
function ageOf({ monotonicMs, wallMs }: Clocks) {
  const now = readClocks()
  return Math.max(now.monotonicMs - monotonicMs, now.wallMs - wallMs)
}
