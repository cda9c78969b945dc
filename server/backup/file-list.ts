import type { Readable } from 'node:stream'
import { openDisk } from '../files/disk.ts'
import { isStorageKey, type Storage } from '../files/storage.ts'
import { listKey, type Manifest, UnreadableBackup } from './manifest.ts'
import { readPacked } from './packed.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A file or thumbnail. */
export interface ListedFile {
  key: string
  size: number
  /** Undefined if its bytes were gone when they should have been copied. */
  sha256: string | undefined
}

const MAX_LINE_LENGTH = 1000
const LINE = /^(\S+) (\d{1,15}) ([0-9a-f]{64}|missing)$/

export const lineOf = ({ key, size, sha256 = 'missing' }: ListedFile) => `${key} ${size} ${sha256}\n`

/**
 * The files of a backup, in the order of their keys. Empty for a database-only snapshot. Reads a copy on the local disk, because
 * a store may close a connection that takes the list as slowly as files are copied.
 */
export async function* readFileList(place: Storage, { name, files }: Manifest): AsyncGenerator<ListedFile> {
  if (!files) return
  const unreadable = new UnreadableBackup(name, `The backup ${name} is damaged: its list of files is not readable.`)
  const folder = await temporaryFolder()
  try {
    const local = openDisk(folder.path, 'list')
    const bytes = await place.read(listKey(name), files.size)
    if (bytes) await local.write(listKey(name), bytes)
    for await (const line of linesOf(await readPacked(bytes ? local : place, listKey(name), files), unreadable)) {
      const [, key = '', size, sha256] = LINE.exec(line) ?? []
      // A valid key cannot escape the folder: it consists of digits of an id.
      if (!isStorageKey(key)) throw unreadable
      yield { key, size: Number(size), sha256: sha256 === 'missing' ? undefined : sha256 }
    }
  } finally {
    await folder.remove()
  }
}

/** The lines of a stream. @param tooLong thrown for a line that is none of ours */
export async function* linesOf(stream: Readable, tooLong = new Error('a line is too long')): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE_LENGTH) throw tooLong
    yield* lines
  }
  if (rest) yield rest
}
