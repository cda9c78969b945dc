import type { Readable } from 'node:stream'

/**
 * Reads a stream in pieces of the caller's size. Nothing is read between two calls.
 * @returns `read` fills a buffer from an offset on, and returns how far it is filled: not completely only at the end. `size` is
 * the number of bytes read so far.
 */
export function readPieces(bytes: Readable) {
  const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  let rest: Buffer = Buffer.alloc(0)
  let size = 0

  async function read(into: Buffer, from: number): Promise<number> {
    let filled = from
    while (filled < into.length) {
      if (rest.length === 0) {
        const { value } = await chunks.next()
        if (!value) break
        rest = value
        size += value.length
      }
      const copied = rest.copy(into, filled)
      filled += copied
      rest = rest.subarray(copied)
    }
    return filled
  }

  return { read, size: () => size }
}
