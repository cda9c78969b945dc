import type { ImportArchive, OmissionReport } from '../../records.ts'
import type { DiskLists } from '../common/disk-lists.ts'
import { firstText, textOf } from '../common/values.ts'
import { bytesOf, countOf, documents, idOf, timeOf } from './collections.ts'
import { GridFs } from './grid-fs.ts'

interface Upload {
  name: string
  size: number | null
  createdAt: string | null
}

interface EmojiFile {
  /** In the grid. */
  key: string
  createdAt: string | null
}

interface Found {
  /** For `open`. */
  entry: string
  size: number
}

/** Collections, and the lists of what they say about files. */
const UPLOADS = 'rocketchat_uploads'
const EMOJI = 'custom_emoji'
/** The list of files that are not imported. */
const THUMBNAILS = 'thumbnails'
/** Starts the keys of files in collections: no entry of an archive has such a name. */
const MARK = '\0'
const keyOf = (collection: string, id: string) => `${MARK}${collection}/${id}`

/**
 * The bytes of uploads and emoji. By default, the server stores them in collections; it may also store them as plain files, which
 * are then in a folder 'uploads' or 'custom_emoji' of the archive.
 */
export class StoredFiles {
  readonly #archive: ImportArchive
  readonly #grid: GridFs
  readonly #lists: DiskLists
  readonly #plain: Map<string, { name: string; size: number }>

  private constructor(archive: ImportArchive, grid: GridFs, lists: DiskLists) {
    this.#archive = archive
    this.#lists = lists
    this.#grid = grid
    this.#plain = plainFiles(archive)
  }

  static async read(archive: ImportArchive, lists: DiskLists, report: OmissionReport) {
    const files = new StoredFiles(archive, await GridFs.open(archive), lists)
    await files.#readUploads(report)
    await files.#readEmoji(report)
    return files
  }

  async #readUploads(report: OmissionReport) {
    for await (const row of documents(this.#archive, UPLOADS, report)) {
      const id = idOf(row['_id'])
      const size = countOf(row['size'])
      if (row['typeGroup'] === 'thumb') {
        this.#lists.addNew(THUMBNAILS, id)
        continue
      }
      const upload: Upload = { name: textOf(row['name']), size, createdAt: timeOf(row['uploadedAt']) }
      this.#lists.add(UPLOADS, id, upload)
      if (size !== null) this.#grid.expect(keyOf(UPLOADS, id), size)
    }
    for await (const row of documents(this.#archive, `${UPLOADS}.files`, report)) {
      const id = idOf(row['_id'])
      const size = countOf(row['length'])
      if (size !== null && !this.#lists.has(THUMBNAILS, id)) this.#grid.expect(keyOf(UPLOADS, id), size)
    }
    await this.#readChunks(UPLOADS, report)
  }

  async #readEmoji(report: OmissionReport) {
    for await (const row of documents(this.#archive, `${EMOJI}.files`, report)) {
      const id = idOf(row['_id'])
      const size = countOf(row['length'])
      if (size === null) continue
      const key = keyOf(EMOJI, id)
      this.#grid.expect(key, size)
      const found: EmojiFile = { key, createdAt: timeOf(row['uploadDate']) }
      this.#lists.add(EMOJI, firstText(row['filename'], id), found)
    }
    await this.#readChunks(EMOJI, report)
  }

  async #readChunks(bucket: string, report: OmissionReport) {
    for await (const row of documents(this.#archive, `${bucket}.chunks`, report))
      await this.#grid.add(keyOf(bucket, idOf(row['files_id'])), countOf(row['n']), bytesOf(row['data']))
  }

  /** What the archive says about an upload. */
  upload = (id: string) => this.#lists.last<Upload>(UPLOADS, id)

  uploadBytes(id: string): Found | undefined {
    return this.#inGrid(keyOf(UPLOADS, id)) ?? this.#plainFile(id)
  }

  /** @param extension without a dot */
  emojiBytes(name: string, extension: string): (Found & { createdAt: string | null }) | undefined {
    const fileName = encodeURIComponent(`${name}.${extension}`)
    const { key = '', createdAt = null } = this.#lists.last<EmojiFile>(EMOJI, fileName) ?? {}
    const found = this.#inGrid(key) ?? this.#plainFile(fileName)
    return found && { ...found, createdAt }
  }

  #inGrid(key: string): Found | undefined {
    const size = this.#grid.sizeOf(key)
    return size === undefined ? undefined : { entry: key, size }
  }

  #plainFile(name: string): Found | undefined {
    const found = this.#plain.get(name)
    return found && { entry: found.name, size: found.size }
  }

  open = (entry: string) => (entry.startsWith(MARK) ? this.#grid : this.#archive).open(entry)
}

/** By file name, and without the extension: the name of an upload is its id, usually with the extension of the original. */
function plainFiles(archive: ImportArchive) {
  const files = new Map<string, { name: string; size: number }>()
  for (const entry of archive.entries) {
    const folders = entry.name.split('/')
    const name = folders.pop() ?? ''
    if (!folders.includes('uploads') && !folders.includes(EMOJI)) continue
    files.set(name, entry)
    const id = name.replace(/\..*/, '')
    if (!files.has(id)) files.set(id, entry)
  }
  return files
}
