import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { AppError, fileTooLarge } from '../errors.ts'
import type { AttachedRow } from '../files/file-rows.ts'
import { fileColumns } from '../files/file-rows.ts'
import { countIncoming } from '../files/incoming-stream.ts'
import { discardUpload, storeFile } from '../files/store-file.ts'
import type { Services } from '../services.ts'
import { ImportProblem } from './import-problem.ts'
import type { FileRecord, MessageRecord, OmissionReport } from './records.ts'
import { isSlackFile, SlackFailure } from './slack/slack-client.ts'
import type { SlackFiles } from './slack/slack-files.ts'
import { timeOf } from './times.ts'

type FileServices = Pick<Services, 'bounds' | 'config' | 'db' | 'log' | 'storage'>

/** `sweep-files.ts` considers a file abandoned after ten of these. */
const HEARTBEAT_INTERVAL_MS = 60_000

interface StoreFiles {
  services: FileServices
  /** Fetches what the archive only links to; undefined leaves it out. */
  slack: SlackFiles | undefined
  report: OmissionReport
}

/**
 * Stores the files of a message as hidden uploads of its author, with thumbnails as usual. They count towards the author's quota,
 * but are never rejected by it. The sweep removes those whose message is never stored.
 * @returns the stored files, and the names of the others
 */
export async function storeFiles(
  options: StoreFiles,
  authorId: string,
  { files, createdAt }: MessageRecord,
  onStored: (fileId: string) => void,
): Promise<{ stored: AttachedRow[]; missing: string[] }> {
  const stored: AttachedRow[] = []
  const missing: string[] = []
  for (const file of files) {
    const row = await storeOrFetch(options, authorId, { ...file, createdAt: file.createdAt ?? createdAt })
    if (row) {
      stored.push(row)
      onStored(row.id)
    } else missing.push(file.name)
  }
  return { stored, missing }
}

/** Keeps the sweep from stored files while others of their batch are fetched, which may take long. */
export function keepWaiting(db: Db) {
  const ids: string[] = []
  const touch = () => {
    const waiting = db
      .updateTable('files')
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .where('state', '=', 'pending')
    // Sweeping them repeats the batch.
    waiting
      .set({ touchedAt: sql<string>`clock_timestamp()` })
      .execute()
      .catch(() => {})
  }
  const timer = setInterval(touch, HEARTBEAT_INTERVAL_MS)
  return { add: (id: string) => void ids.push(id), end: () => clearInterval(timer) }
}

type DatedFile = FileRecord & { createdAt: string }

async function storeOrFetch({ services, slack, report }: StoreFiles, authorId: string, file: DatedFile) {
  const { open, link, size, name } = file
  if ((size ?? 0) > services.config.maxFileSize) return undefined
  if (open) return storeOne(services, authorId, file, await open(), report)
  if (!slack || !link || !isSlackFile(link.url, services.config.slackUrl)) return undefined
  return slack.fetchFile(name, async (signal) => {
    const source = await slack.client.openFile(link.url, link.isPage, signal)
    const row = await storeOne(services, authorId, file, source, report)
    // Larger than the archive says, and too large.
    if (!row) throw new SlackFailure('gone')
    return row
  })
}

async function storeOne(
  services: FileServices,
  authorId: string,
  { name, createdAt, open }: DatedFile,
  source: Readable,
  report: OmissionReport,
): Promise<AttachedRow | undefined> {
  const { maxFileSize } = services.config
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
    if (error instanceof AppError && error.status === 400 && !open) throw new SlackFailure('failed', { cause: error })
    if (!(error instanceof AppError) || error.status !== 413) throw error
    report.add('tooLargeFile', name)
    return undefined
  } finally {
    source.destroy()
  }
}
