import { type Readable, Transform } from 'node:stream'
import { AppError, invalid } from '../errors.ts'
import { collectWhileStreaming } from './collect-buffers.ts'
import { SAMPLE_BYTES } from './file-type.ts'

/** Milliseconds without a byte, after which an upload is given up. */
const STILL = 60_000

export const tooLarge = (most: number) =>
  new AppError(413, 'too_large', `Files can have at most ${Math.floor(most / 1024 / 1024)} MB`)
const cut = () => invalid('The upload was interrupted')

export interface Incoming {
  bytes: Readable
  /** How many there were, and the first of them; known when they have all passed. */
  passed(): { size: number; sample: Buffer }
}

/**
 * Lets bytes through while counting them.
 * @param most how many there may be, and what is said where there are more
 * @param signal the connection is gone
 */
export function countIncoming(source: Readable, most: { bytes: number; refused: () => AppError }, signal: AbortSignal) {
  const first: Buffer[] = []
  let sampled = 0
  let size = 0
  const bytes = new Transform({
    transform(chunk: Buffer, _, done) {
      timer.refresh()
      size += chunk.length
      if (size > most.bytes) return done(most.refused())
      // A copy, because the chunk is part of something larger.
      if (sampled < SAMPLE_BYTES) first.push(Buffer.from(chunk.subarray(0, SAMPLE_BYTES - sampled)))
      sampled = Math.min(SAMPLE_BYTES, sampled + chunk.length)
      done(null, chunk)
    },
  })
  const timer = setTimeout(() => bytes.destroy(invalid('The upload stalled')), STILL)
  bytes.once('close', () => clearTimeout(timer))
  collectWhileStreaming(bytes)
  signal.addEventListener('abort', () => bytes.destroy(cut()), { once: true })
  // Not a pipeline: what ends a form early has many words for it, and whoever reads `bytes` shall hear one.
  source.once('error', () => bytes.destroy(cut()))
  source.once('close', () => {
    if (!source.readableEnded) bytes.destroy(cut())
  })
  source.pipe(bytes)
  return { bytes, passed: () => ({ size, sample: Buffer.concat(first) }) } satisfies Incoming
}
