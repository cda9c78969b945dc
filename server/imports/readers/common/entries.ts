import type { ImportArchive } from '../../records.ts'

/** Created by file managers, not by a product. */
const isClutter = (name: string) => /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/.test(name)

/**
 * The folder that contains a file, '' or with a trailing slash: an export that was packed again is often inside a folder.
 * Undefined if the file is missing.
 */
export function folderOf(archive: ImportArchive, file: string): string | undefined {
  let found: string | undefined
  for (const { name } of archive.entries) {
    if (isClutter(name) || !(name === file || name.endsWith(`/${file}`))) continue
    const folder = name.slice(0, -file.length)
    if (found === undefined || folder.length < found.length) found = folder
  }
  return found
}

export const namesIn = (archive: ImportArchive, folder: string): string[] =>
  archive.entries.map(({ name }) => name).filter((name) => name.startsWith(folder) && !isClutter(name))
