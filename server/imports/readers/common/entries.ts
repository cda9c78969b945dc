import type { ImportArchive } from '../../records.ts'

/** Made by file managers, not by a product. */
const isClutter = (name: string) => /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/.test(name)

/**
 * The folder of an archive that contains a file, '' or with a slash at its end: an export that was packed again often lies in
 * a folder of its own. Undefined if the file is nowhere.
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
