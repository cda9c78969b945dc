import { rmdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { BackupPlace } from '../config/backup-settings.ts'
import { StartError } from '../config/start-error.ts'
import { AppError } from '../errors.ts'
import { openDisk } from '../files/disk.ts'
import type { Storage } from '../files/storage.ts'

/** There is no room for a backup. */
export class FullPlace extends StartError {}

/** An upper bound for a table's dump, so that the number of parts stays within S3's limit. */
const MAX_OBJECT_BYTES = 128 * 1024 ** 3

/** Opens the place for backups. */
export async function openPlace(place: BackupPlace): Promise<Storage> {
  if ('folder' in place) return openFolder(place.folder)
  const { openBucket } = await import('../files/s3.ts')
  return namingItself(openBucket(place.s3, place.prefix, MAX_OBJECT_BYTES), describePlace(place))
}

export function openFolder(path: string): Storage {
  const folder = resolve(path)
  const disk = openDisk(dirname(folder), basename(folder))
  const storage = {
    ...disk,
    async remove(keys) {
      await disk.remove(keys)
      // Remove the empty folders of backups, inner ones first.
      const folders = new Set(
        keys.flatMap((key) => [dirname(key), dirname(dirname(key))]).filter((it) => it.includes('/')),
      )
      for (const each of [...folders].sort().reverse()) await rmdir(join(folder, each)).catch(() => {})
    },
  } satisfies Storage
  return namingItself(storage, folder)
}

/** Adds the place to its errors. Otherwise administrators would suspect the database or the files. */
function namingItself(storage: Storage, where: string): Storage {
  const explain = (error: unknown): never => {
    throw asSentence(error, where)
  }
  async function* explained<T>(chunks: AsyncIterable<T>) {
    try {
      yield* chunks
    } catch (error) {
      explain(error)
    }
  }
  return {
    ...storage,
    async write(key, bytes) {
      let ofSource: unknown
      const chunks = bytes.iterator()
      const next = () =>
        chunks.next().catch((error) => {
          ofSource = error
          throw error
        })
      // Errors of the storage are thrown into it at the yield.
      async function* read() {
        for (let chunk = await next(); !chunk.done; chunk = await next()) yield chunk.value
      }
      await storage.write(key, Readable.from(read(), { objectMode: false })).catch((error) => {
        bytes.destroy()
        throw ofSource ?? asSentence(error, where)
      })
    },
    async read(...args) {
      const bytes = await storage.read(...args).catch(explain)
      return bytes && Readable.from(explained(bytes), { objectMode: false })
    },
    remove: (keys) => storage.remove(keys).catch(explain),
    sizeOf: (key) => storage.sizeOf(key).catch(explain),
    list: (inFolder) => explained(storage.list(inFolder)),
  }
}

function describe(failure: unknown): string {
  const { message, code, name, $metadata } = failure as NodeJS.ErrnoException & {
    $metadata?: { httpStatusCode?: number }
  }
  // Of a bucket whose answer has no explanation.
  if (['UnknownError', ''].includes(message) && $metadata?.httpStatusCode)
    return `it answers ${$metadata.httpStatusCode}`
  return message || code || name
}

function asSentence(error: unknown, where: string): StartError {
  if (error instanceof AppError && error.code === 'storage_full')
    return new FullPlace(`${where} is full: make room there.`)
  // For buckets, the actual failure is the cause of the error.
  const failure = (error as Error).cause ?? error
  return new StartError(`${where} can't be used: ${typeof failure === 'string' ? failure : describe(failure)}`)
}

export const describePlace = (place: BackupPlace) =>
  'folder' in place ? resolve(place.folder) : `s3://${place.s3.bucket}/${place.prefix}`
