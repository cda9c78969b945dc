import { close, constants, createWriteStream, fstat, open as openFile } from 'node:fs'
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { storageFull } from '../errors.ts'
import { FileStream } from './file-stream.ts'
import type { Storage } from './storage.ts'

// Not `FileHandle`: its streams create a promise per chunk, which halves the speed.
const [openFd, statFd, closeFd] = [promisify(openFile), promisify(fstat), promisify(close)]

// Opening a named pipe would wait for its writer. Windows has no such flag.
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Stores files in a folder of `root`. A file is renamed to its key when it is complete.
 * @param isShared whether the files' system group may read them
 */
export function openDisk(root: string, name: string, isShared = false): Storage {
  const folder = join(root, name)
  const modes = isShared ? { file: 0o640, folder: 0o750 } : { file: 0o600, folder: 0o700 }
  const pathOf = (key: string) => join(folder, key)
  return {
    async write(key, bytes) {
      const path = pathOf(key)
      const part = `${path}.part`
      try {
        await makeFolder(dirname(path), modes.folder)
        await pipeline(bytes, createWriteStream(part, { flush: true, mode: modes.file }))
        await rename(part, path)
        await flush(dirname(path))
      } catch (error) {
        bytes.destroy()
        await rm(part, { force: true })
        throw isFull(error) ? storageFull() : error
      }
    },

    async read(key, size, range = { start: 0, end: size - 1 }) {
      const fd = await openFd(pathOf(key), READ_AT_ONCE).catch(noneIfMissing)
      if (fd === undefined) return undefined
      if ((await statFd(fd)).size === size) return new FileStream(fd, range)
      await closeFd(fd)
      return undefined
    },

    pathOf: (key) => `${name}/${key}`,

    async remove(keys) {
      for (const key of keys) for (const path of [pathOf(key), `${pathOf(key)}.part`]) await rm(path, { force: true })
    },

    sizeOf: async (key) => (await stat(pathOf(key)).catch(noneIfMissing))?.size,

    async *list(inFolder = '') {
      for await (const path of filesIn(join(folder, inFolder))) {
        const found = await stat(path).catch(noneIfMissing)
        if (found) yield { key: relative(folder, path).split(sep).join('/'), writtenAt: found.mtimeMs }
      }
    },
  }
}

/** The paths of all files in a folder and its subfolders. Not `opendir` with `recursive`, which fails if one vanishes meanwhile. */
async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const entry of (await opendir(folder).catch(noneIfMissing)) ?? []) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path)
    else if (entry.isFile()) yield path
  }
}

/** Creates a folder and its parents, durably. */
async function makeFolder(folder: string, mode: number) {
  const first = await mkdir(folder, { recursive: true, mode })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await flush(dirname(made))
}

/** File names survive a power failure only after their folder was flushed. */
async function flush(folder: string) {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')

function noneIfMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}
