import { sql } from 'kysely'
import { AppError, fileTooLarge } from '../errors.ts'
import type { AttachedRow } from '../files/file-rows.ts'
import { fileColumns } from '../files/file-rows.ts'
import { countIncoming } from '../files/incoming-stream.ts'
import { discardUpload, storeFile } from '../files/store-file.ts'
import type { Services } from '../services.ts'
import { ImportProblem } from './import-problem.ts'
import type { FileRecord, MessageRecord, OmissionReport } from './records.ts'
import { timeOf } from './times.ts'

type FileServices = Pick<Services, 'bounds' | 'config' | 'db' | 'log' | 'storage'>

/**
 * Stores the files of a message as hidden uploads of its author, with thumbnails as usual. They count towards the author's quota,
 * but are never rejected by it. The sweep removes those whose message is never stored.
 */
export async function storeFiles(
  services: FileServices,
  authorId: string,
  { files, createdAt }: MessageRecord,
  report: OmissionReport,
): Promise<AttachedRow[]> {
  const stored: AttachedRow[] = []
  for (const file of files) {
    const row = await storeOne(services, authorId, file, file.createdAt ?? createdAt, report)
    if (row) stored.push(row)
  }
  return stored
}

async function storeOne(
  services: FileServices,
  authorId: string,
  { open, size, name }: FileRecord,
  createdAt: string,
  report: OmissionReport,
): Promise<AttachedRow | undefined> {
  const { maxFileSize } = services.config
  if (!open || (size ?? 0) > maxFileSize) return undefined
  const source = await open()
  let damage: ImportProblem | undefined
  source.on('error', (error) => {
    if (error instanceof ImportProblem) damage = error
  })
  const incoming = countIncoming(
    source,
    { bytes: maxFileSize, refused: () => fileTooLarge(maxFileSize) },
    new AbortController().signal,
  )
  let started: string | undefined
  const at = timeOf(createdAt) ?? Date.now()
  try {
    const id = await storeFile(services, authorId, { name: name || 'file', claimed: '', at }, incoming, (startedId) => {
      started = startedId
    })
    return (await services.db
      .updateTable('files')
      .set({ createdAt: sql<string>`${new Date(at).toISOString()}::timestamptz` })
      .where('id', '=', id)
      .returning(fileColumns.filter((column) => !/(user|channel|message)Id$/.test(column)) as never)
      .executeTakeFirstOrThrow()) as unknown as AttachedRow
  } catch (error) {
    if (started) await discardUpload(services, started)
    // The reader of the stream only sees that it was cut off.
    if (damage) throw damage
    if (!(error instanceof AppError) || error.status !== 413) throw error
    report.add('tooLargeFile', name)
    return undefined
  } finally {
    source.destroy()
  }
}
