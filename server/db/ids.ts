import { randomBytes, randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'
import { databaseTime } from './clock.ts'

const random = Buffer.alloc(16 * 512)
let used = random.length

let latestMs = 0
let sequence = 0

/**
 * A UUIDv7 that sorts after all earlier ones of this process, even within a millisecond or if the database's clock is set back.
 * Random bytes are fetched in batches, because a system call per id would dominate its cost.
 */
export function newId(): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  used += 16
  const now = Math.floor(databaseTime())
  sequence = now > latestMs ? 0 : sequence + 1
  latestMs = Math.max(latestMs, now)
  return v7({ random: random.subarray(used - 16, used), msecs: latestMs, seq: sequence })
}

/** A UUIDv7 for a given time. @param place orders ids of the same millisecond */
export const idAt = (ms: number, place: number): string =>
  v7({ msecs: Math.max(0, ms), seq: place % 2 ** 31, random: randomBytes(16) })
