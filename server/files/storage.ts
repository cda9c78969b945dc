import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, both counted in. */
export interface Range {
  start: number
  end: number
}

/** Where the bytes of files are. Keys are made by us: letters, digits, `-`, `.` and `/`. */
export interface Storage {
  /**
   * Keeps what a stream brings; done when it would survive a power cut. Where it fails, also because the stream does,
   * nothing is left.
   * @throws AppError 507 `storage_full`, 503 `unavailable`
   */
  write(key: string, bytes: Readable): Promise<void>
  /** Undefined where there is nothing, or fewer bytes than there should be. @throws AppError 503 */
  read(key: string, size: number, range?: Range): Promise<Readable | undefined>
  /** What is not there is removed already. @throws AppError 503 */
  remove(keys: string[]): Promise<void>
  /** All there is, also what was written half; `writtenAt` in milliseconds since 1970. */
  list(): AsyncIterable<{ key: string; writtenAt: number }>
}

// The last digits of an id are random, so a folder holds a 256th of all.
const folderOf = (id: string) => id.slice(-2)
export const storageKeyOf = (id: string) => `${folderOf(id)}/${id}`
export const thumbnailKeyOf = (id: string) => `${storageKeyOf(id)}.webp`
/** Whether we made it: what somebody else put there is theirs. */
export const isStorageKey = (key: string) =>
  /^[0-9a-f]{2}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.[.a-z]+)?$/.test(key)
/** The file that a key belongs to, by its id. */
export const fileIdOf = (key: string) => key.slice(3, 39)
