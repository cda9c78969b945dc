import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { ImportProblem } from '../import-problem.ts'
import type { ImportArchive } from '../records.ts'
import { type ArchiveBounds, archiveBounds } from './bounds.ts'
import { firstBytes, openFile, openFolder } from './plain-archives.ts'
import { openTar } from './tar-archive.ts'
import { openZip } from './zip-archive.ts'

interface Options {
  /** The folder where a compressed tar is unpacked, into a single file that is removed when the archive is closed. */
  workDir?: string
  /** The file's original name, if it is stored under another one. */
  name?: string
  bounds?: ArchiveBounds
}

/**
 * Opens a ZIP, a tar (possibly compressed), a single file of JSON or JSON lines (possibly compressed), or a folder. Nothing is
 * unpacked under its own name, and links are not followed.
 * @throws ImportProblem if it is none of these, is damaged, or claims more than the limits allow
 */
export async function openArchive(path: string, options: Options = {}): Promise<ImportArchive> {
  const { workDir = tmpdir(), name = path.split(/[\\/]/).at(-1) ?? '', bounds = archiveBounds } = options
  const found = await stat(path)
  if (found.isDirectory()) return openFolder(path, bounds)
  if (!found.isFile()) throw new ImportProblem('notAnArchive')
  const start = await firstBytes(path)
  if (start.subarray(0, 2).toString('latin1') === 'PK') return openZip(path, bounds)
  const isGzip = start[0] === 0x1f && start[1] === 0x8b
  if (isTar(start) || (isGzip && /\.(tar\.gz|tgz)$/i.test(name))) return openTar(path, { workDir, bounds, isGzip })
  if (isGzip) return openFile(path, { name: name.replace(/\.gz$/i, ''), isGzip, bounds, size: found.size })
  if (/\.(jsonl?|ndjson)$/i.test(name) || /^(\ufeff)?\s*[[{]/.test(start.toString('utf8')))
    return openFile(path, { name, isGzip, bounds, size: found.size })
  throw new ImportProblem('notAnArchive')
}

const isTar = (start: Buffer) => start.subarray(257, 262).toString('latin1') === 'ustar'
