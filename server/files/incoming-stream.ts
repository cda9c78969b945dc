import { type Readable, Transform } from 'node:stream'
import { type AppError, invalid, uploadStalled } from '../errors.ts'
import { noteBuffer } from '../process/collect-garbage.ts'
import { SAMPLE_BYTES } from './file-type.ts'

const IDLE_TIMEOUT_MS = 60_000

const cut = () => invalid('errors.uploadInterrupted')

export interface Incoming {
  bytes: Readable
  /** The size and the first bytes, once the stream has ended. */
  received(): { size: number; sample: Buffer }
}

/**
 * Passes bytes through while counting them.
 * @param max the limit, and the error for exceeding it
 * @param signal aborts when the connection is lost
 */
export function countIncoming(source: Readable, max: { bytes: number; refused: () => AppError }, signal: AbortSignal) {
  const first: Buffer[] = []
  let sampled = 0
  let size = 0
  const bytes = new Transform({
    transform(chunk: Buffer, _, done) {
      timer.refresh()
      size += chunk.length
      noteBuffer(chunk.length)
      if (size > max.bytes) return done(max.refused())
      // A copy, so that the sample does not retain the larger buffer of the chunk.
      if (sampled < SAMPLE_BYTES) first.push(Buffer.from(chunk.subarray(0, SAMPLE_BYTES - sampled)))
      sampled = Math.min(SAMPLE_BYTES, sampled + chunk.length)
      done(null, chunk)
    },
  })
  const onIdle = () => {
    // The storage has not consumed the received bytes yet.
    if (bytes.readableLength > 0) timer.refresh()
    else bytes.destroy(uploadStalled())
  }
  const timer = setTimeout(onIdle, IDLE_TIMEOUT_MS)
  bytes.once('close', () => clearTimeout(timer))
  signal.addEventListener('abort', () => bytes.destroy(cut()), { once: true })
  // Not a pipeline: a form can break off with many different errors, and readers of `bytes` should see only one.
  source.once('error', () => bytes.destroy(cut()))
  source.once('close', () => {
    if (!source.readableEnded) bytes.destroy(cut())
  })
  source.pipe(bytes)
  return { bytes, received: () => ({ size, sample: Buffer.concat(first) }) } satisfies Incoming
}
