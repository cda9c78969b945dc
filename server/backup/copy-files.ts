import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type Storage, storageKeyOf, thumbnailKeyOf } from '../files/storage.ts'
import { type ListedFile, lineOf, linesOf, readFileList } from './file-list.ts'
import { listKey, type Manifest, sharedKey } from './manifest.ts'
import { hashOf, measure, measured, writePacked } from './packed.ts'
import { countProgress, type OnProgress } from './progress.ts'
import { temporaryFolder } from './temporary-folder.ts'

const KEPT = `from files where state in ('ready', 'kept')`
/** In the order of their keys, like all lists. */
const FILES = `copy (select id, size, "thumbnailSize" ${KEPT} order by right(id::text, 2) collate "C", id) to stdout`

/**
 * Writes the list of a snapshot's files to disk, because the snapshot must end before they are copied: it prevents the database
 * from vacuuming.
 */
export async function noteFiles(client: ClientBase) {
  const { path: folder, remove } = await temporaryFolder()
  const path = join(folder, 'files')
  await pipeline(client.query(copyTo(FILES)), createWriteStream(path, { mode: 0o600 })).catch(async (error) => {
    await remove()
    throw error
  })
  const { rows } = await client.query(`select coalesce(sum(size + coalesce("thumbnailSize", 0)), 0) as bytes ${KEPT}`)
  return {
    bytes: Number(rows[0].bytes),
    read: () => createReadStream(path),
    remove,
  }
}

interface Options {
  noted: Awaited<ReturnType<typeof noteFiles>>
  storage: Storage
  place: Storage
  name: string
  /** The backup before this one. */
  previous: Manifest | undefined
  onProgress?: OnProgress | undefined
  signal: AbortSignal | undefined
}

/** Copies the files that are not there yet, and stores the list of all files. */
export async function copyFiles({ noted, storage, place, name, previous, onProgress, signal }: Options) {
  const total = { count: 0, bytes: 0, missing: 0 }
  const known = walk(previous ? readFileList(place, previous) : undefined)
  async function* lines() {
    const progress = countProgress('files', noted.bytes, onProgress)
    for await (const row of linesOf(noted.read())) {
      const [id = '', size, thumbnailSize = ''] = row.split('\t')
      const wanted = [{ key: storageKeyOf(id), size: Number(size) }]
      if (thumbnailSize !== '\\N') wanted.push({ key: thumbnailKeyOf(id), size: Number(thumbnailSize) })
      for (const file of wanted) {
        signal?.throwIfAborted()
        const onBytes = progress.begin(file.size)
        const kept = await keep(place, file, await known.find(file.key))
        const sha256 = kept ?? (await hashCopied(file, onBytes)) ?? (await copy(file, onBytes))
        progress.end(file.size)
        const listed = { ...file, sha256 }
        if (listed.sha256) total.bytes += file.size
        else total.missing += 1
        total.count += 1
        yield lineOf(listed)
      }
    }
  }
  /** Of a file that a backup has copied, but didn't list because it failed. Files never change. */
  async function hashCopied({ key, size }: { key: string; size: number }, onBytes: (length: number) => void) {
    return (await place.sizeOf(sharedKey(key))) === size ? hashOf(storage, key, size, onBytes) : undefined
  }
  async function copy({ key, size }: { key: string; size: number }, onBytes: (length: number) => void) {
    const bytes = await storage.read(key, size)
    if (!bytes) return undefined
    const meter = measure(bytes, measured(undefined, onBytes))
    await place.write(sharedKey(key), meter)
    return meter.stored().sha256
  }
  try {
    const stored = await writePacked(place, listKey(name), Readable.from(lines()))
    return { ...total, ...stored }
  } finally {
    await known.close()
  }
}

/** The hash of a file that is already in the place. */
async function keep(place: Storage, { key, size }: { key: string; size: number }, known: ListedFile | undefined) {
  if (known?.sha256 === undefined || known.size !== size) return undefined
  return (await place.sizeOf(sharedKey(key))) === size ? known.sha256 : undefined
}

/** Finds keys in a list in one pass; they must be looked up in its order. Close it at the end. */
export function walk(list: AsyncGenerator<ListedFile> | undefined) {
  let at: ListedFile | undefined
  let isBegun = false
  const next = async () => {
    at = (await list?.next())?.value || undefined
  }
  return {
    async find(key: string): Promise<ListedFile | undefined> {
      if (!isBegun) await next()
      isBegun = true
      while (at && at.key < key) await next()
      return at?.key === key ? at : undefined
    },
    close: async () => void (await list?.return(undefined)),
  }
}
