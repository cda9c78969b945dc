import type { Readable } from 'node:stream'

/** Byte positions, both inclusive. */
export interface Range {
  start: number
  end: number
}

/** Stores the bytes of files. Keys consist of letters, digits, `-`, `.` and `/`. */
export interface Storage {
  /**
   * Stores a stream durably. If it fails, or the stream does, nothing is left behind.
   * @param uploader the id of the user whose connection it comes from, which may stall
   * @throws AppError 507 `storage_full`, 503 `unavailable`
   */
  write(key: string, bytes: Readable, uploader?: string): Promise<void>
  /** Undefined if the key is missing or its size differs. @throws AppError 503 */
  read(key: string, size: number, range?: Range): Promise<Readable | undefined>
  /** The path below `DATA_DIR/files`; undefined if the bytes are stored elsewhere. */
  pathOf(key: string): string | undefined
  /** Missing keys are ignored. @throws AppError 503 */
  remove(keys: string[]): Promise<void>
  /** Bytes; undefined if the key is missing. @throws AppError 503 */
  sizeOf(key: string): Promise<number | undefined>
  /**
   * All keys, or those in a folder, including partial writes; `writtenAt` in milliseconds since the epoch.
   * @param inFolder such as `files/a0`
   */
  list(inFolder?: string): AsyncIterable<{ key: string; writtenAt: number }>
}

// The last digits of an id are random, so files spread evenly over 256 folders.
const folderOf = (id: string) => id.slice(-2)
export const storageKeyOf = (id: string) => `${folderOf(id)}/${id}`
export const thumbnailKeyOf = (id: string) => `${storageKeyOf(id)}.webp`
/** Whether this server created the key: other files in the storage are left alone. */
export const isStorageKey = (key: string) =>
  /^[0-9a-f]{2}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.[.a-z]+)?$/.test(key)
/** The id of the file that a key belongs to. */
export const fileIdOf = (key: string) => key.slice(3, 39)
