import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { archiveBounds } from '../../archive/bounds.ts'
import { closeWith } from '../../archive/close-with.ts'
import { ImportProblem } from '../../import-problem.ts'
import type { ImportArchive } from '../../records.ts'

interface GridFile {
  size: number
  received: number
  /** By number, from 0. */
  chunks: Map<number, { start: number; length: number }>
  isDamaged: boolean
}

/** Real chunks have 255 KB. A file may have a few tiny ones, but not so many that their places fill the memory. */
const [MIN_CHUNK_BYTES, FREE_CHUNKS] = [1024, 16]
const READ_BYTES = 256 * 1024

/**
 * Files that MongoDB stores in chunks. As these come in any order, they are appended to a temporary file, and only their places
 * remain in memory: about 100 bytes per chunk.
 */
export class GridFs {
  readonly #files = new Map<string, GridFile>()
  readonly #spool: FileHandle
  readonly #maxBytes: number
  #written = 0

  private constructor(spool: FileHandle, maxBytes: number) {
    this.#spool = spool
    this.#maxBytes = maxBytes
  }

  /** Usable until the archive is closed. */
  static async open(archive: ImportArchive, maxBytes = archiveBounds.maxTotalBytes) {
    const folder = await mkdtemp(join(tmpdir(), 'parley-import-'))
    const remove = () => rm(folder, { recursive: true, force: true })
    try {
      const spool = await open(join(folder, 'chunks'), 'w+')
      closeWith(archive, () => spool.close().finally(remove))
      return new GridFs(spool, maxBytes)
    } catch (error) {
      await remove()
      throw error
    }
  }

  /** Announces a file: the chunks of others are ignored. */
  expect(key: string, size: number) {
    this.#files.set(key, { size, received: 0, chunks: new Map(), isDamaged: false })
  }

  /** Adds a chunk. A repeated one is ignored. @throws ImportProblem if all files together are too large */
  async add(key: string, number: number | null, bytes: Buffer) {
    const file = this.#files.get(key)
    if (!file || file.isDamaged || number === null || bytes.length === 0 || file.chunks.has(number)) return
    const mostChunks = FREE_CHUNKS + file.received / MIN_CHUNK_BYTES
    if (file.received + bytes.length > file.size || file.chunks.size >= mostChunks) {
      file.isDamaged = true
      file.chunks.clear()
      return
    }
    const start = this.#written
    if (start + bytes.length > this.#maxBytes) throw new ImportProblem('tooLarge')
    await this.#spool.writeFile(bytes)
    this.#written += bytes.length
    file.received += bytes.length
    file.chunks.set(number, { start, length: bytes.length })
  }

  /** The size of a file; undefined if it is unknown or incomplete. */
  sizeOf(key: string): number | undefined {
    const file = this.#files.get(key)
    if (!file || file.isDamaged || file.received !== file.size) return undefined
    for (let number = 0; number < file.chunks.size; number++) if (!file.chunks.has(number)) return undefined
    return file.size
  }

  /** The bytes of a complete file. */
  async open(key: string): Promise<Readable> {
    return Readable.from(this.#bytesOf(this.#files.get(key)?.chunks ?? new Map()), { objectMode: false })
  }

  async *#bytesOf(chunks: GridFile['chunks']) {
    for (let number = 0; number < chunks.size; number++) {
      const { start, length } = chunks.get(number) as { start: number; length: number }
      for (let done = 0; done < length; ) {
        const wanted = Math.min(READ_BYTES, length - done)
        const { buffer, bytesRead } = await this.#spool.read(Buffer.alloc(wanted), 0, wanted, start + done)
        if (bytesRead === 0) throw new ImportProblem('damaged')
        yield buffer.subarray(0, bytesRead)
        done += bytesRead
      }
    }
  }
}
