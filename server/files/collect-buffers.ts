import type { Stream } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds between two collections while bytes pass: so long, at the speed of a disk, some ten megabytes pass. */
const OFTEN = 40

// The engine lets tens of megabytes of buffers pile up before it looks for dead ones: to it each is one small object.
// Its own word for "look at the young ones now" takes about a millisecond. There is no other way to it than this.
setFlagsFromString('--expose-gc')
const collect: (how: { type: 'minor' }) => void = runInNewContext('gc')

let passing = 0
let timer: NodeJS.Timeout | undefined

/** Keeps memory small while a stream lives through which many bytes pass. */
export function collectWhileStreaming(stream: Stream) {
  passing++
  timer ??= setInterval(() => collect({ type: 'minor' }), OFTEN)
  stream.once('close', () => {
    if (--passing > 0) return
    clearInterval(timer)
    timer = undefined
  })
}
