import { createReadStream } from 'node:fs'
import { open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, type Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ImportProblem } from '../import-problem.ts'
import type { ImportArchive } from '../records.ts'
import { type ArchiveBounds, RATIO_FREE_BYTES } from './bounds.ts'

/** Enough for the signature of every kind of archive. */
const START_BYTES = 512

export async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

interface FileOptions {
  name: string
  isGzip: boolean
  size: number
  bounds: ArchiveBounds
}

/** A single file, as an archive with one entry. */
export function openFile(path: string, { name, isGzip, size, bounds }: FileOptions): ImportArchive {
  return {
    entries: [{ name, size }],
    async open(asked) {
      if (asked !== name) throw new ImportProblem('damaged', asked)
      return isGzip ? unzipped(path, size, bounds) : createReadStream(path)
    },
    close: async () => undefined,
  }
}

/** The uncompressed bytes of a file, within the limits. */
export function unzipped(path: string, size: number, { maxRatio, maxTotalBytes }: ArchiveBounds): Readable {
  const allowed = Math.min(maxTotalBytes, Math.max(RATIO_FREE_BYTES, maxRatio * size))
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      done(bytes > allowed ? new ImportProblem('tooLarge') : null, chunk)
    },
  })
  const gunzip = createGunzip()
  gunzip.on('error', (error) => counted.destroy(new ImportProblem('damaged', '', error)))
  pipeline(createReadStream(path), gunzip, counted, () => undefined)
  return counted
}

/** A folder and its subfolders, without links. */
export async function openFolder(path: string, { maxEntries }: ArchiveBounds): Promise<ImportArchive> {
  const sizes = new Map<string, number>()
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const found of await opendir(join(path, folder))) {
      const name = `${folder}${found.name}`
      if (found.isDirectory()) folders.push(`${name}/`)
      else if (found.isFile()) sizes.set(name, 0)
      if (sizes.size + folders.length > maxEntries) throw new ImportProblem('tooManyEntries')
    }
  }
  for (const name of sizes.keys()) sizes.set(name, await sizeOf(join(path, name)))
  return {
    entries: [...sizes].map(([name, size]) => ({ name, size })),
    async open(name) {
      if (!sizes.has(name)) throw new ImportProblem('damaged', name)
      return createReadStream(join(path, name))
    },
    close: async () => undefined,
  }
}

async function sizeOf(path: string) {
  const file = await open(path)
  try {
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}
