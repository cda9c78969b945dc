import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of buffers between two collections of new objects; they take about a millisecond. */
const COLLECTED_BYTES = 16 * 1024 * 1024

let collector: NodeJS.GCFunction | undefined
let notedBytes = 0

/** V8's own function, which `node --expose-gc` has, too. */
export function loadCollector(): NodeJS.GCFunction {
  if (!collector) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc') as NodeJS.GCFunction
  }
  return collector
}

/**
 * Call for each large buffer that is needed only for a moment. Buffers are outside of V8's heap, and it does not know how
 * soon they are garbage: it collects the whole heap whenever they have grown by some 30 MB, which takes more CPU time than an
 * upload itself. Buffers that are collected with other new objects do not pile up.
 */
export function noteBuffer(bytes: number) {
  notedBytes += bytes
  if (notedBytes < COLLECTED_BYTES) return
  notedBytes = 0
  loadCollector()({ type: 'minor', execution: 'sync' })
}
