import { createReadStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Parser, type ReadEntry } from 'tar'
import { ImportProblem } from '../import-problem.ts'
import type { ImportArchive } from '../records.ts'
import { type ArchiveBounds, MAX_NAME_CHARACTERS } from './bounds.ts'
import { unzipped } from './plain-archives.ts'
import { isTemporaryDiskFull } from './temporary-files.ts'

interface Options {
  workDir: string
  bounds: ArchiveBounds
  isGzip: boolean
}

/**
 * Opens a tar. Because tars can only be read sequentially, its files are first appended to a single temporary file, and read from
 * there.
 */
export async function openTar(path: string, { workDir, bounds, isGzip }: Options): Promise<ImportArchive> {
  const folder = await mkdtemp(join(workDir, 'parley-import-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const spool = join(folder, 'files')
  try {
    const bytes = isGzip ? unzipped(path, (await stat(path)).size, bounds) : createReadStream(path)
    const places = await unpack(bytes, spool, bounds)
    return {
      entries: [...places].map(([name, { size }]) => ({ name, size })),
      async open(name) {
        const place = places.get(name)
        if (!place) throw new ImportProblem('damaged', name)
        if (place.size === 0) return Readable.from([])
        return createReadStream(spool, { start: place.start, end: place.start + place.size - 1 })
      },
      close: remove,
    }
  } catch (error) {
    await remove()
    throw error instanceof ImportProblem || isTemporaryDiskFull(error) ? error : new ImportProblem('damaged', '', error)
  }
}

type Places = Map<string, { start: number; size: number }>

async function unpack(bytes: Readable, spool: string, bounds: ArchiveBounds): Promise<Places> {
  const places: Places = new Map()
  const file = await open(spool, 'w')
  try {
    let position = 0
    let writing: Promise<void> = Promise.resolve()
    let failure: unknown
    const failed = Promise.withResolvers<void>()
    const fail = (error: unknown) => {
      failure ??= error
      failed.resolve()
    }
    const parser = new Parser({
      strict: true,
      onReadEntry(entry: ReadEntry) {
        try {
          const name = entry.path.replace(/^(\.\/)+/, '')
          const isWanted = checkEntry(places, entry, name, bounds)
          if (!isWanted) return entry.resume()
          places.set(name, { start: position, size: entry.size })
          position += entry.size
          if (position > bounds.maxTotalBytes) throw new ImportProblem('tooLarge')
          writing = writing.then(() => copy(entry, file)).catch(fail)
        } catch (error) {
          fail(error)
          entry.resume()
        }
        return
      },
    })
    const ended = new Promise<void>((resolve) => {
      parser.on('end', resolve)
      parser.on('error', (error: Error) => {
        fail(error)
        resolve()
      })
    })
    for await (const chunk of bytes) {
      if (failure) break
      if (!parser.write(chunk as Buffer))
        // A file that can't be written is no longer read, so the parser doesn't go on.
        await Promise.race([new Promise((resolve) => parser.once('drain', resolve)), ended, failed.promise])
    }
    if (!failure) {
      parser.end()
      await Promise.race([ended, failed.promise])
      await writing
    }
    if (failure) throw failure
    return places
  } finally {
    await file.close()
  }
}

async function copy(entry: ReadEntry, file: FileHandle) {
  for await (const chunk of entry) await file.write(chunk)
}

/** Whether the entry is a regular file, to be kept. */
function checkEntry(places: Places, { path, type, size }: ReadEntry, name: string, bounds: ArchiveBounds) {
  if (type !== 'File' && type !== 'OldFile' && type !== 'ContiguousFile') return false
  if (places.size >= bounds.maxEntries) throw new ImportProblem('tooManyEntries')
  if (/^[\\/]|^[a-z]:|(^|[\\/])\.\.([\\/]|$)|\0/i.test(path) || path.length > MAX_NAME_CHARACTERS)
    throw new ImportProblem('unsafeName', path.slice(0, 100))
  if (places.has(name)) throw new ImportProblem('duplicateName', name)
  if (size > bounds.maxTotalBytes) throw new ImportProblem('tooLarge', name)
  return true
}
