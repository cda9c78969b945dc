import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const random = Buffer.alloc(16 * 512)
let used = random.length

/** A UUIDv7. Its random part comes from a pool: asking the system for each cost more than all else about it. */
export function newId(): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  used += 16
  return v7({ random: random.subarray(used - 16, used) })
}
