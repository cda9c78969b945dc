import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export interface Zip {
  /** The bytes of the archive. */
  stream: Readable
  /** Adds texts as one compressed file. Resolves once they are in the archive, so that only one text is in memory at a time. */
  addText(path: string, texts: AsyncIterable<string> | Iterable<string>): Promise<void>
  /** Adds bytes uncompressed: most files are compressed already. */
  addBytes(path: string, bytes: Readable): Promise<void>
  end(): void
  fail(error: Error): void
}

/** An archive that is written while it is read. Uses ZIP64 automatically beyond 4 GB or 65,535 files. */
export function createZip(): Zip {
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  const fail = (error: Error) => void stream.destroy(error)
  zip.on('error', fail)
  // Readers receive errors. Before there is one, an error must not crash the process.
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

/** Batches texts into chunks of this size, because each chunk costs a turn of the compressor. */
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
