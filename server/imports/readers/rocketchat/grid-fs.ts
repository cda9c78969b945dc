import type { FileHandle } from 'node:fs/promises'
import type { StatementSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { archiveBounds } from '../../archive/bounds.ts'
import { closeWith } from '../../archive/close-with.ts'
import { openTemporaryFiles, type TemporaryFiles } from '../../archive/temporary-files.ts'
import { ImportProblem } from '../../import-problem.ts'
import type { ImportArchive } from '../../records.ts'

interface GridFile {
  size: number
  /** Bytes so far. */
  received: number
  chunks: number
  /** 0 or 1. */
  isDamaged: number
}

/** Where a chunk is in the file of chunks. */
interface Place {
  start: number
  length: number
}

const TABLES = `
  create table files (
    key text primary key, size integer not null,
    received integer not null default 0, chunks integer not null default 0, isDamaged integer not null default 0
  ) strict, without rowid;
  create table chunks (
    key text not null, number integer not null, start integer not null, length integer not null,
    primary key (key, number)
  ) strict, without rowid`

/** Real chunks have 255 KB. A file may have a few tiny ones, but not so many that their places fill the disk. */
const [MIN_CHUNK_BYTES, FREE_CHUNKS] = [1024, 16]
const READ_BYTES = 256 * 1024

/**
 * Files that MongoDB stores in chunks. As these come in any order, they are appended to a temporary file, with an index of their
 * places beside it.
 */
export class GridFs {
  readonly #spool: FileHandle
  readonly #maxBytes: number
  readonly #expect: StatementSync
  readonly #file: StatementSync
  readonly #receive: StatementSync
  readonly #addChunk: StatementSync
  readonly #chunk: StatementSync
  readonly #lastNumber: StatementSync
  #written = 0

  private constructor({ database, file }: TemporaryFiles, maxBytes: number) {
    this.#spool = file
    this.#maxBytes = maxBytes
    this.#expect = database.prepare(
      'insert into files (key, size) values (?, ?) on conflict do update set size = excluded.size',
    )
    this.#file = database.prepare('select size, received, chunks, isDamaged from files where key = ?')
    this.#receive = database.prepare(
      'update files set received = received + ?, chunks = chunks + ?, isDamaged = ? where key = ?',
    )
    this.#addChunk = database.prepare('insert into chunks (key, number, start, length) values (?, ?, ?, ?)')
    this.#chunk = database.prepare('select start, length from chunks where key = ? and number = ?')
    this.#lastNumber = database.prepare('select max(number) as number from chunks where key = ?')
  }

  /** Usable until the archive is closed. */
  static async open(archive: ImportArchive, maxBytes = archiveBounds.maxTotalBytes) {
    const files = await openTemporaryFiles(TABLES)
    closeWith(archive, files.close)
    return new GridFs(files, maxBytes)
  }

  /** Announces a file: the chunks of others are ignored. */
  expect(key: string, size: number) {
    this.#expect.run(key, size)
  }

  /** Adds a chunk. A repeated one is ignored. @throws ImportProblem if all files together are too large */
  async add(key: string, number: number | null, bytes: Buffer) {
    const file = this.#find(key)
    if (!file || file.isDamaged || number === null || bytes.length === 0 || this.#chunk.get(key, number)) return
    const mostChunks = FREE_CHUNKS + file.received / MIN_CHUNK_BYTES
    if (file.received + bytes.length > file.size || file.chunks >= mostChunks) {
      this.#receive.run(0, 0, 1, key)
      return
    }
    const start = this.#written
    if (start + bytes.length > this.#maxBytes) throw new ImportProblem('tooLarge')
    await this.#spool.writeFile(bytes)
    this.#written += bytes.length
    this.#receive.run(bytes.length, 1, 0, key)
    this.#addChunk.run(key, number, start, bytes.length)
  }

  #find = (key: string) => this.#file.get(key) as GridFile | undefined

  /** The size of a file; undefined if it is unknown or incomplete. */
  sizeOf(key: string): number | undefined {
    const file = this.#find(key)
    if (!file || file.isDamaged || file.received !== file.size) return undefined
    // Each number occurs once.
    const last = Number(this.#lastNumber.get(key)?.['number'] ?? -1)
    return last === file.chunks - 1 ? file.size : undefined
  }

  /** The bytes of a complete file. */
  async open(key: string): Promise<Readable> {
    return Readable.from(this.#bytesOf(key, this.#find(key)?.chunks ?? 0), { objectMode: false })
  }

  async *#bytesOf(key: string, chunks: number) {
    for (let number = 0; number < chunks; number++) {
      const { start, length } = this.#chunk.get(key, number) as unknown as Place
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
