import { pipeline, Transform, type TransformCallback } from 'node:stream'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { type Entry, type Options, open as openCallback, type ZipFile } from 'yauzl'
import { ImportProblem } from '../import-problem.ts'
import type { ImportArchive } from '../records.ts'
import { type ArchiveBounds, MAX_NAME_CHARACTERS, RATIO_FREE_BYTES } from './bounds.ts'

const openZipFile = promisify<string, Options, ZipFile>(openCallback)

/** Opens a ZIP or ZIP64. Its directory is checked before anything is read. */
export async function openZip(path: string, bounds: ArchiveBounds): Promise<ImportArchive> {
  const zip = await openZipFile(path, { lazyEntries: true, autoClose: false }).catch((error) => {
    throw new ImportProblem('damaged', '', error)
  })
  try {
    const entries = await listEntries(zip, bounds)
    return {
      entries: [...entries].map(([name, { uncompressedSize }]) => ({ name, size: uncompressedSize })),
      open: (name) => openEntry(zip, name, entries.get(name)),
      close: async () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function listEntries(zip: ZipFile, bounds: ArchiveBounds): Promise<Map<string, Entry>> {
  if (zip.entryCount > bounds.maxEntries) throw new ImportProblem('tooManyEntries')
  const entries = new Map<string, Entry>()
  let [packed, unpacked, count] = [0, 0, 0]
  await new Promise<void>((resolve, reject) => {
    zip.on('error', (error: Error) => reject(problemOf(error)))
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      try {
        count += 1
        if (count > bounds.maxEntries) throw new ImportProblem('tooManyEntries')
        packed += entry.compressedSize
        unpacked += entry.uncompressedSize
        // Entries that share compressed bytes would multiply them.
        if (packed > zip.fileSize || unpacked > bounds.maxTotalBytes) throw new ImportProblem('tooLarge')
        if (isFile(entry)) addEntry(entries, entry, bounds)
        zip.readEntry()
      } catch (error) {
        reject(error)
      }
    })
    zip.readEntry()
  })
  return entries
}

function addEntry(entries: Map<string, Entry>, entry: Entry, { maxRatio }: ArchiveBounds) {
  const { fileName: name, uncompressedSize, compressedSize } = entry
  if (name.length > MAX_NAME_CHARACTERS || name.includes('\0'))
    throw new ImportProblem('unsafeName', name.slice(0, 100))
  if (entry.isEncrypted()) throw new ImportProblem('encrypted', name)
  if (uncompressedSize > Math.max(RATIO_FREE_BYTES, maxRatio * compressedSize))
    throw new ImportProblem('tooLarge', name)
  if (entries.has(name)) throw new ImportProblem('duplicateName', name)
  // Raw names and extra fields would take half of the memory of a long list.
  for (const field of ['fileNameRaw', 'extraFieldRaw', 'fileCommentRaw'] as const) entry[field] = NOTHING
  entry.extraFields = []
  entries.set(name, entry)
}

const NOTHING = Buffer.alloc(0)
const TYPE_BITS = 0xf000
const REGULAR = 0x8000
const MADE_BY_UNIX = 3

/** Excludes folders, and links and devices, which are not followed. */
function isFile(entry: Entry) {
  if (entry.fileName.endsWith('/')) return false
  const type = (entry.externalFileAttributes >>> 16) & TYPE_BITS
  return entry.versionMadeBy >>> 8 !== MADE_BY_UNIX || type === 0 || type === REGULAR
}

/** The library rejects absolute names and those with '..'. */
function problemOf(error: Error) {
  if (/^(absolute path|invalid relative path|invalid characters in fileName)/.test(error.message))
    return new ImportProblem('unsafeName', error.message.split(': ').at(-1)?.slice(0, 100), error)
  return new ImportProblem('damaged', '', error)
}

async function openEntry(zip: ZipFile, name: string, entry: Entry | undefined) {
  if (!entry) throw new ImportProblem('damaged', name)
  const source = await promisify<Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip))(entry).catch((error) => {
    throw new ImportProblem('damaged', name, error)
  })
  const checked = new Checked(name, entry.crc32)
  // The library fails if there are more or fewer bytes than claimed.
  pipeline(source, checked, () => undefined)
  source.on('error', (error) => checked.destroy(new ImportProblem('damaged', name, error)))
  return checked
}

/** Passes bytes through, and fails at the end if their checksum is wrong. */
class Checked extends Transform {
  #sum = 0
  readonly #entry: string
  readonly #expected: number

  constructor(entry: string, expected: number) {
    super()
    this.#entry = entry
    this.#expected = expected
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback) {
    this.#sum = crc32(chunk, this.#sum)
    done(null, chunk)
  }

  override _flush(done: TransformCallback) {
    done(this.#sum === this.#expected ? null : new ImportProblem('damaged', this.#entry))
  }
}
