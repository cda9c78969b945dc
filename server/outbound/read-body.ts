import type { IncomingMessage } from 'node:http'
import { type Duplex, PassThrough, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OutboundError } from './outbound-error.ts'

/** Some large pieces, or too many small ones. */
const MAX_PIECES = 20_000

/**
 * Reads a body without its compression, up to a limit, into `pieces`: they are there even if it breaks off. Doesn't close the
 * response.
 * @returns whether there was more
 * @throws OutboundError for an unknown encoding or too many pieces, and what ends the connection
 */
export async function readBody(response: IncomingMessage, maxBytes: number, pieces: Buffer[]): Promise<boolean> {
  let left = maxBytes
  const body = decoded(response)
  response.on('data', countPieces(response))
  for await (const piece of body) {
    const bytes = piece as Buffer
    pieces.push(bytes.subarray(0, left))
    left -= bytes.length
    if (left < 0) break
  }
  return left < 0
}

/** Ends a response that comes in too many pieces: each takes time, however small it is. */
function countPieces(response: IncomingMessage) {
  let pieces = 0
  return () => ++pieces > MAX_PIECES && response.destroy(new OutboundError('too many pieces'))
}

/** The body without compression. @throws OutboundError for an unknown encoding */
export function decoded(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase()
  const decoder = decoders.get(encoding)?.()
  if (!decoder) throw new OutboundError('unknown encoding')
  response.on('error', (error) => decoder.destroy(error))
  decoder.on('close', () => response.destroy())
  return response.pipe(decoder)
}

const decoders = new Map<string, () => Duplex>([
  ['', () => new PassThrough()],
  ['identity', () => new PassThrough()],
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])
