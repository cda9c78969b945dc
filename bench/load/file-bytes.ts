import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** The content of every benchmark file: incompressible, and different at every offset. */
export const REPEATED_BLOCK = (() => {
  const block = Buffer.alloc(1024 * 1024)
  let digest = Buffer.from('parley')
  for (let at = 0; at < block.length; at += digest.length) {
    digest = createHash('sha256').update(digest).digest()
    digest.copy(block, at)
  }
  return block
})()

/** Whether a chunk equals the file's bytes at an offset. */
export function matchesBlockAt(chunk: Buffer, place: number): boolean {
  const start = place % REPEATED_BLOCK.length
  const first = Math.min(chunk.length, REPEATED_BLOCK.length - start)
  return (
    REPEATED_BLOCK.compare(chunk, 0, first, start, start + first) === 0 &&
    (first === chunk.length || matchesBlockAt(chunk.subarray(first), 0))
  )
}

/** Writes a file of `size` bytes. */
export async function writeRepeated(path: string, size: number) {
  const file = await open(path, 'w')
  for (let left = size; left > 0; left -= REPEATED_BLOCK.length) await file.write(REPEATED_BLOCK.subarray(0, left))
  await file.close()
}
