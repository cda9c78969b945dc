import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of buffers between two minor collections, each of which takes about a millisecond. */
const COLLECTED_BYTES = 16 * 1024 * 1024

let collector: NodeJS.GCFunction | undefined
let notedBytes = 0

/** V8's own function, as with `node --expose-gc`. */
export function loadCollector(): NodeJS.GCFunction {
  if (!collector) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc') as NodeJS.GCFunction
  }
  return collector
}

/**
 * Call for each large, short-lived buffer. Buffers live outside V8's heap, and V8 runs a major collection whenever they have
 * grown by some 30 MB, which takes more CPU time than an upload itself. Regular minor collections prevent that.
 */
export function noteBuffer(bytes: number) {
  notedBytes += bytes
  if (notedBytes < COLLECTED_BYTES) return
  notedBytes = 0
  loadCollector()({ type: 'minor', execution: 'sync' })
}
