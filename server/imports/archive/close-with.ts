import type { ImportArchive } from '../records.ts'

/** Closes something together with an archive: records stay readable after the reader has yielded the last one. */
export function closeWith(archive: ImportArchive, close: () => Promise<void>) {
  const closeArchive = archive.close
  archive.close = () => closeArchive().finally(close)
}
