import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { loadCollector } from './collect-garbage.ts'
import type { Logger } from './logger.ts'
import { type StopPolling, startPolling } from './poll.ts'

const LOOK_INTERVAL_MS = 10_000
/** Between two collections, in looks. */
const PAUSE_LOOKS = 6
/** The share of the time that the event loop of a quiet process is busy. */
const MAX_UTILIZATION = 0.02
/** A collection is worth it if the heap has grown by both since the last one. */
const MIN_GROWTH_BYTES = 8 * 1024 * 1024
const MIN_GROWTH_SHARE = 0.25

/**
 * Collects garbage once a process is quiet after work. V8 collects only when it needs memory, so a process with nothing
 * to do would keep the memory of its busiest minute. After this collection V8's own memory reducer gives it back to the
 * system within seconds. The pause is that of one collection: about 10 ms for each 10 MB in use.
 */
export function collectWhenIdle(log: Logger, intervalMs = LOOK_INTERVAL_MS): StopPolling {
  let previous = performance.eventLoopUtilization()
  /** Bytes of the heap after the last collection. */
  let collectedTo = 0

  return startPolling({ intervalMs, log, failure: 'garbage could not be collected' }, async () => {
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

/** Whether a heap is so much larger than after its last collection that another one is worth it. In bytes. */
export const hasGrown = (bytes: number, collectedTo: number) =>
  bytes - collectedTo > Math.max(MIN_GROWTH_BYTES, collectedTo * MIN_GROWTH_SHARE)
