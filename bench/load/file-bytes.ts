import { createHash } from 'node:crypto'

/** What every file of the bench repeats: bytes that no two places of it share, and nothing compresses. */
export const BLOCK = (() => {
  const block = Buffer.alloc(1024 * 1024)
  let digest = Buffer.from('parley')
  for (let at = 0; at < block.length; at += digest.length) {
    digest = createHash('sha256').update(digest).digest()
    digest.copy(block, at)
  }
  return block
})()

/** Whether a chunk is what stands at a place of such a file. */
export function isAt(chunk: Buffer, place: number): boolean {
  const start = place % BLOCK.length
  const first = Math.min(chunk.length, BLOCK.length - start)
  return (
    BLOCK.compare(chunk, 0, first, start, start + first) === 0 &&
    (first === chunk.length || isAt(chunk.subarray(first), 0))
  )
}
