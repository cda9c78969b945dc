import type { Stream } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** At disk speed about ten megabytes pass in this time. */
const COLLECT_INTERVAL_MS = 40

// V8 counts a buffer as one small object, so tens of megabytes pile up before it collects them. A minor collection takes
// about a millisecond; this is the only way to trigger one.
setFlagsFromString('--expose-gc')
const collect: (how: { type: 'minor' }) => void = runInNewContext('gc')

let streams = 0
let timer: NodeJS.Timeout | undefined

/** Collects dead buffers regularly while a stream is open. */
export function collectWhileStreaming(stream: Stream) {
  streams++
  timer ??= setInterval(() => collect({ type: 'minor' }), COLLECT_INTERVAL_MS)
  stream.once('close', () => {
    if (--streams > 0) return
    clearInterval(timer)
    timer = undefined
  })
}
