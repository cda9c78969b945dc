import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { loadCollector } from './collect-garbage.ts'
import type { Logger } from './logger.ts'
import { type StopPolling, startPolling } from './poll.ts'

const LOOK_INTERVAL_MS = 10_000
/** Pause after a collection, in intervals. */
const PAUSE_LOOKS = 6
/** A process is idle if its event loop is busy for no more than this share of the time. */
const MAX_UTILIZATION = 0.02
/** A collection is worth it if the heap has grown by both since the last one. */
const MIN_GROWTH_BYTES = 8 * 1024 * 1024
const MIN_GROWTH_SHARE = 0.25

/**
 * Collects garbage once a process is idle after work. V8 collects only when it needs memory, so an idle process would keep the
 * memory of its busiest minute. After this collection V8's memory reducer returns it to the system within seconds. The pause is
 * that of one collection: about 10 ms for each 10 MB in use.
 */
export function collectWhenIdle(log: Logger, intervalMs = LOOK_INTERVAL_MS): StopPolling {
  let previous = performance.eventLoopUtilization()
  /** Bytes of the heap after the last collection. */
  let collectedTo = 0

  return startPolling({ intervalMs, log, failure: 'could not collect garbage' }, async () => {
    const total = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(total, previous)
    previous = total
    if (utilization > MAX_UTILIZATION || !hasGrown(heapBytes(), collectedTo)) return undefined
    await loadCollector()({ type: 'major', execution: 'async' })
    collectedTo = heapBytes()
    return intervalMs * PAUSE_LOOKS
  })
}

function heapBytes() {
  const { total_heap_size, external_memory } = getHeapStatistics()
  return total_heap_size + external_memory
}

/** Whether the heap has grown enough since its last collection to make another one worth it. In bytes. */
export const hasGrown = (bytes: number, collectedTo: number) =>
  bytes - collectedTo > Math.max(MIN_GROWTH_BYTES, collectedTo * MIN_GROWTH_SHARE)
