import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const random = Buffer.alloc(16 * 512)
let used = random.length

let at = 0
let turn = 0

/**
 * A UUIDv7, later in order than all before it of this process, also within a millisecond and when the clock is set back.
 * Its random part comes from a pool: asking the system for each cost more than all else about it.
 */
export function newId(): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  used += 16
  const now = Date.now()
  turn = now > at ? 0 : turn + 1
  at = Math.max(at, now)
  return v7({ random: random.subarray(used - 16, used), msecs: at, seq: turn })
}
