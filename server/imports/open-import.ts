import { openArchive } from './archive/open-archive.ts'
import { ImportProblem } from './import-problem.ts'
import type { ImportArchive, ImportReader } from './records.ts'
import { withWorkspaceKeys } from './workspace-keys.ts'

interface OpenedImport {
  reader: ImportReader
  archive: ImportArchive
}

/** Opens an archive and finds its reader. @throws ImportProblem */
export async function openImport(path: string, name: string): Promise<OpenedImport> {
  // Loaded lazily, because they take megabytes.
  const { readers } = await import('./readers/readers.ts')
  const archive = await openArchive(path, { name })
  try {
    for (const reader of readers)
      if (await reader.recognizes(archive)) return { reader: withWorkspaceKeys(reader), archive }
    throw new ImportProblem('unknownFormat')
  } catch (error) {
    await archive.close()
    throw error
  }
}
