import { sql } from 'kysely'
import { writeAudit } from '../audit/write-audit.ts'
import type { Services } from '../services.ts'
import { forgotten, holdImport, type ImportJob, ownRow } from './import-rows.ts'
import { loadImport } from './load-import.ts'
import { createOmissionCounts } from './omission-counts.ts'
import { openImport } from './open-import.ts'
import { planImport } from './plan-import.ts'
import { importKeyOf, withArchiveFile } from './stored-archive.ts'
import { undoImport } from './undo-import.ts'

export type ImportServices = Pick<Services, 'bounds' | 'config' | 'db' | 'log' | 'storage'> & { pollSoon: () => void }

interface Work extends ImportJob {
  fileName: string
}

/** Performs the pending step of an import: reads its archive, imports it, or undoes it. */
export async function runImport(services: ImportServices, job: Work, signal: AbortSignal) {
  if (job.state === 'reading') return readArchive(services, job, signal)
  if (job.state === 'running') return load(services, job, signal)
  return undo(services, job, signal)
}

async function readArchive(services: ImportServices, job: Work, signal: AbortSignal) {
  const { config, db } = services
  await withOpened(services, job, async ({ reader, archive }) => {
    const omitted = createOmissionCounts()
    const plan = await planImport({
      db,
      source: reader.format,
      records: reader.read(archive, omitted),
      omitted,
      maxFileSize: config.maxFileSize,
      bounds: services.bounds,
      async onProgress(messages) {
        signal.throwIfAborted()
        await ownRow(db, job).set({ messages, touchedAt: sql<string>`clock_timestamp()` }).execute()
      },
    })
    signal.throwIfAborted()
    await ownRow(db, job)
      .set({
        state: 'ready',
        format: reader.format,
        plan: JSON.stringify(plan),
        total: plan.messages,
        messages: 0,
        touchedAt: null,
      })
      .execute()
  })
}

async function load(services: ImportServices, job: Work, signal: AbortSignal) {
  const { db, pollSoon } = services
  await withOpened(services, job, async ({ reader, archive }) => {
    // Omitted content was already counted for the plan.
    const report = createOmissionCounts()
    const source = reader.format
    await loadImport({ services, job, source, records: reader.read(archive, report), report, signal })
  })
  await db.transaction().execute(async (tx) => {
    await holdImport(tx, job)
    const { messages } = await ownRow(tx, job)
      .set({ state: 'done', finishedAt: sql<string>`clock_timestamp()`, touchedAt: null })
      .returning('messages')
      .executeTakeFirstOrThrow()
    await writeAudit(tx, { kind: 'import_finished', actorId: job.userId, details: { format: job.format, messages } })
  })
  pollSoon()
}

async function undo(services: ImportServices, job: Work, signal: AbortSignal) {
  const { db, storage } = services
  await undoImport(services, job, signal)
  if (job.archiveId) await storage.remove([importKeyOf(job.archiveId)])
  await db.transaction().execute(async (tx) => {
    await ownRow(tx, job)
      .set({
        state: 'undone',
        ...forgotten,
        archiveId: null,
        finishedAt: sql<string>`clock_timestamp()`,
        touchedAt: null,
      })
      .executeTakeFirstOrThrow()
    await writeAudit(tx, { kind: 'import_undone', actorId: job.userId, details: { format: job.format } })
  })
}

const withOpened = (
  services: ImportServices,
  job: Work,
  use: (opened: Awaited<ReturnType<typeof openImport>>) => Promise<void>,
) =>
  withArchiveFile(services, job, async (path) => {
    const opened = await openImport(path, job.fileName)
    await use(opened).finally(() => opened.archive.close())
  })
