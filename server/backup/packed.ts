import { createHash } from 'node:crypto'
import { PassThrough, pipeline, Readable, Transform } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import type { Storage } from '../files/storage.ts'
import { findRemoval, UnreadableBackup } from './manifest.ts'

/** Describes the stored bytes, not the uncompressed ones. */
export interface Stored {
  size: number
  sha256: string
}

/** Fast, because the backup shares the server's CPU. */
const GZIP_LEVEL = 3

/** The default of 16 would be a megabyte per stream, and pruning reads the lists of all backups side by side. */
const CHUNKS_AHEAD = 2

interface Expected {
  stored: Stored
  damaged: Error
}

type OnBytes = (length: number) => void

/**
 * Passes bytes through and measures them.
 * @param expected if given, the stream fails at its end if they differ
 * @param onBytes called with the length of each chunk
 */
export function measured(expected?: Expected, onBytes?: OnBytes) {
  const hash = createHash('sha256')
  let size = 0
  let sha256 = ''
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      hash.update(chunk)
      onBytes?.(chunk.length)
      done(null, chunk)
    },
    flush(done) {
      sha256 = hash.digest('hex')
      const isOther = expected && (expected.stored.size !== size || expected.stored.sha256 !== sha256)
      done(isOther ? expected.damaged : null)
    },
  })
  return Object.assign(stream, { stored: (): Stored => ({ size, sha256 }) })
}

type Measured = ReturnType<typeof measured>

/** Sends bytes of a storage through a meter. Doesn't use `pipe`, for which the storage reuses its buffers. */
export function measure(bytes: Readable, meter: Measured = measured()): Measured {
  // Errors propagate to the meter, and so to its reader.
  pipeline(Readable.from(bytes as AsyncIterable<Buffer>, { highWaterMark: CHUNKS_AHEAD }), meter, () => {})
  return meter
}

/** Undefined if the bytes are missing or incomplete. @param onBytes called with the length of each chunk */
export async function hashOf(
  storage: Storage,
  key: string,
  size: number,
  onBytes?: (length: number) => void,
): Promise<string | undefined> {
  const bytes = await storage.read(key, size)
  if (!bytes) return undefined
  const meter = measure(bytes, measured(undefined, onBytes))
  for await (const _ of meter);
  return meter.stored().sha256
}

/** Stores a stream compressed. @param onBytes called with the length of each chunk, uncompressed */
export async function writePacked(place: Storage, key: string, bytes: Readable, onBytes?: OnBytes): Promise<Stored> {
  const meter = measured()
  const counter = new PassThrough()
  if (onBytes) counter.on('data', (chunk: Buffer) => onBytes(chunk.length))
  pipeline(bytes, counter, createGzip({ level: GZIP_LEVEL }), meter, () => {})
  await place.write(key, meter)
  return meter.stored()
}

/**
 * Reads what `writePacked` stored. The stream fails with a StartError if it is damaged, at its end at the latest.
 * @param onBytes called with the length of each chunk, compressed
 */
export async function readPacked(place: Storage, key: string, stored: Stored, onBytes?: OnBytes): Promise<Readable> {
  const name = key.split('/')[1] ?? ''
  const damaged = new UnreadableBackup(name, `The backup is damaged: ${key} is not what was stored.`)
  const bytes = await place.read(key, stored.size)
  if (!bytes) throw (await findRemoval(place, name)) ?? damaged
  const unpacked = createGunzip()
  pipeline(measure(bytes, measured({ stored, damaged }, onBytes)), unpacked, () => {})
  async function* read() {
    try {
      yield* unpacked as AsyncIterable<Buffer>
    } catch (error) {
      // Data that cannot be unpacked is also damaged.
      throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? damaged : error
    }
  }
  return Readable.from(read(), { highWaterMark: CHUNKS_AHEAD })
}

const MAX_SMALL_BYTES = 64 * 1024

/** Reads something of a known, small size completely. Undefined if it is larger: then it is forged. */
export async function readSmall(stream: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > MAX_SMALL_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
