import type { Outcome } from './jobs.ts'

export interface OutcomeCounter {
  /** Discards everything counted so far. */
  begin(): void
  /** Counts a response and its latency in milliseconds, once per message of a group. */
  took(ms: number, several?: number): void
  /** A message was acknowledged under its key. */
  stored(id: string, key: string): void
  wrong(what: string): void
  outcome(): Outcome
}

export function createOutcomeCounter(): OutcomeCounter {
  const times: number[] = []
  const ids: string[] = []
  const keys: string[] = []
  let startedAt = performance.now()
  let count = 0
  let wrong = 0
  let firstWrong: string | undefined
  return {
    begin: () => {
      startedAt = performance.now()
    },
    took(ms, several = 1) {
      times.push(ms)
      count += several
    },
    stored(id, key) {
      ids.push(id)
      keys.push(key)
    },
    wrong(what) {
      wrong++
      firstWrong ??= what
    },
    outcome() {
      const seconds = (performance.now() - startedAt) / 1000
      const sorted = Float64Array.from(times).sort()
      const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
      const spread = { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
      return { count, rate: count / seconds, ...spread, wrong, firstWrong, ids, keys }
    },
  }
}
