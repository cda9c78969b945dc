import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export interface Zip {
  /** The bytes of the archive. */
  stream: Readable
  /** Adds texts as one compressed file. Waits until they are in the archive, so only one is in memory at a time. */
  addText(path: string, texts: AsyncIterable<string> | Iterable<string>): Promise<void>
  /** Adds bytes as they are: most files are compressed already. */
  addBytes(path: string, bytes: Readable): Promise<void>
  end(): void
  fail(error: Error): void
}

/** An archive that is written while it is read. Beyond 4 GB or 65,535 files it uses ZIP64 by itself. */
export function createZip(): Zip {
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  const fail = (error: Error) => void stream.destroy(error)
  zip.on('error', fail)
  // Whoever reads it is told of an error. Until somebody does, nobody is, and it must not end the process.
  stream.on('error', () => {})
  const add = async (path: string, input: Readable, compress: boolean) => {
    if (stream.destroyed) throw new Error('The archive was given up')
    // If nobody reads the archive any more, the input would never end.
    const giveUp = () => input.destroy(new Error('The archive was given up'))
    stream.once('close', giveUp)
    try {
      zip.addReadStream(input, path, { compress })
      await finished(input)
    } finally {
      stream.off('close', giveUp)
    }
  }
  return {
    stream,
    addText: (path, texts) => add(path, Readable.from(bytesOf(texts)), true),
    addBytes: (path, bytes) => add(path, bytes, false),
    end: () => zip.end(),
    fail,
  }
}

/** In chunks of some size: each costs a turn of the compressor. */
const CHUNK_CHARACTERS = 64 * 1024

async function* bytesOf(texts: AsyncIterable<string> | Iterable<string>) {
  let chunk = ''
  for await (const text of texts) {
    chunk += text
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield Buffer.from(chunk)
    chunk = ''
  }
  if (chunk) yield Buffer.from(chunk)
}
