import type { Readable } from 'node:stream'
import { busy } from '../errors.ts'

interface Part {
  bytes: Readable
  buffer: Buffer
  /** When something arrived last. */
  progressAt: number
}

/** Large enough for most files: they never take more. */
const FIRST_BYTES = 64 * 1024

const tooMuch = () => busy('uploads hold too much memory')

/**
 * The buffers of uploads to a store that takes them in parts. Each grows with what has arrived, up to the size of a part. Beyond
 * the total, the uploads that stalled longest fail, because their clients may send nothing more for minutes.
 */
export function createPartBuffers(partBytes: number, maxBytes: number) {
  const open = new Set<Part>()
  // One must always fit.
  const most = Math.max(maxBytes, 2 * partBytes)
  let total = 0

  function resize(part: Part, size: number) {
    total += size - part.buffer.length
    const grown = Buffer.allocUnsafeSlow(size)
    part.buffer.copy(grown)
    part.buffer = grown
  }

  function close(part: Part) {
    if (open.delete(part)) total -= part.buffer.length
  }

  function makeRoom(needed: number) {
    for (const stalled of [...open].sort((a, b) => a.progressAt - b.progressAt)) {
      if (total + needed <= most) return
      close(stalled)
      stalled.bytes.destroy(tooMuch())
    }
  }

  return {
    held: () => total,
    open(bytes: Readable) {
      const part: Part = { bytes, buffer: Buffer.alloc(0), progressAt: performance.now() }
      open.add(part)
      return {
        /** The buffer, with what it holds so far; larger if there is need and may be. */
        withRoomFor(filled: number, more: number) {
          part.progressAt = performance.now()
          // Its stream has failed, too, but a chunk may be half copied.
          if (!open.has(part)) throw tooMuch()
          const wanted = Math.min(partBytes, Math.max(FIRST_BYTES, 2 ** Math.ceil(Math.log2(filled + more))))
          if (wanted > part.buffer.length) {
            makeRoom(wanted - part.buffer.length)
            resize(part, wanted)
          }
          return part.buffer
        },
        close: () => close(part),
      }
    },
  }
}
