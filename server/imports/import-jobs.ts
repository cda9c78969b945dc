import { sql } from 'kysely'
import { type Problem, problem } from '#contract/errors'
import { limits } from '#contract/limits'
import { type Db, databaseFailure } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import { AppError, diskFull } from '../errors.ts'
import type { Storage } from '../files/storage.ts'
import { startPolling } from '../process/poll.ts'
import { isTemporaryDiskFull } from './archive/temporary-files.ts'
import { ImportProblem } from './import-problem.ts'
import { forgotten, type ImportJob, ImportLost, ownRow } from './import-rows.ts'
import { type ImportServices, runImport } from './run-import.ts'
import { importKeyOf } from './stored-archive.ts'

const POLL_INTERVAL_MS = 10_000
/** A node that works on an import touches its row; after this long without, it must have died, and another one continues. */
const ABANDONED_AFTER_SECONDS = 30
const TOUCH_INTERVAL_MS = 2_000
const MAX_ATTEMPTS = 3

export interface Importing {
  /** Checks for work as soon as possible. */
  wake(): void
  stop(): Promise<void>
}

/** Reads, imports and undoes archives, on one node at a time. */
export function startImporting(services: ImportServices): Importing {
  const { db, log, storage } = services
  const ending = new AbortController()
  const poll = startPolling(
    { intervalMs: POLL_INTERVAL_MS, firstDelayMs: 1000, log, failure: 'an import failed' },
    async () => {
      await removeExpired(db, storage)
      const job = await claimImport(db)
      if (!job || ending.signal.aborted) return undefined
      await workOn(services, job, ending.signal)
      return 0
    },
  )
  return {
    wake: poll.runSoon,
    async stop() {
      ending.abort()
      await poll()
    },
  }
}

type Job = ImportJob & { fileName: string }

/** Claims the pending import, if no node works on it. */
export async function claimImport(db: Db): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    update imports i set claim = ${newId()}, attempts = i.attempts + 1, "touchedAt" = clock_timestamp()
    from (
      select id from imports where state in ('reading', 'running', 'undoing')
        and ("touchedAt" is null or "touchedAt" < clock_timestamp() - make_interval(secs => ${ABANDONED_AFTER_SECONDS}))
      limit 1 for update skip locked
    ) next
    where i.id = next.id
    returning i.id, i."userId", i."archiveId", i."fileName", i.size, i.format, i.state, i.plan, i.choices,
      i."startedAt", i.claim, i.attempts
  `.execute(db)
  return rows[0]
}

/** Works on an import until it is done, fails, or is stopped; then another attempt continues where it was. */
export async function workOn(services: ImportServices, job: Job, ending: AbortSignal) {
  const { db, log } = services
  const lost = new AbortController()
  const alive = setInterval(() => {
    ownRow(db, job)
      .set({ touchedAt: sql<string>`clock_timestamp()` })
      .executeTakeFirst()
      .then(({ numUpdatedRows }) => numUpdatedRows === 0n && lost.abort(new ImportLost()))
      .catch(() => {})
  }, TOUCH_INTERVAL_MS)
  try {
    await runImport(services, job, AbortSignal.any([ending, lost.signal]))
  } catch (error) {
    if (error instanceof ImportLost || lost.signal.aborted) return
    if (ending.aborted) {
      await ownRow(db, job).set({ touchedAt: null, attempts: 0 }).execute()
      return
    }
    const why = problemOf(error)
    // Problems of the archive, and full disks, are reported to the owner.
    if (why) log.info({ import: job.id, reason: why.reason }, 'an import could not continue')
    else log.warn({ err: error, import: job.id }, 'an import could not continue')
    if (why || job.attempts >= MAX_ATTEMPTS) await fail(db, job, why ?? problem('errors.importStopped'))
    else await ownRow(db, job).set({ touchedAt: null }).execute()
  } finally {
    clearInterval(alive)
  }
}

const fail = (db: Db, job: Job, why: Problem) =>
  ownRow(db, job)
    .set({ state: 'failed', failedIn: job.state, problem: JSON.stringify(why), touchedAt: null })
    .execute()

/** Problems that an immediate retry would not solve. */
function problemOf(error: unknown): Problem | undefined {
  if (error instanceof ImportProblem) return { reason: `import.${error.reason}`, values: { entry: error.entry } }
  if (isTemporaryDiskFull(error)) return diskFull().problem
  const failure = error instanceof AppError ? error : databaseFailure(error)
  return failure?.status === 507 ? failure.problem : undefined
}

/** Removes the archives of imports that nobody has started for days. */
async function removeExpired(db: Db, storage: Storage) {
  const expired = await db
    .updateTable('imports')
    .set({ state: 'cancelled', ...forgotten, finishedAt: sql<string>`clock_timestamp()` })
    .where('startedAt', 'is', null)
    .where('state', 'in', ['reading', 'ready', 'failed'])
    .where('createdAt', '<', sql<string>`clock_timestamp() - make_interval(days => ${limits.imports.days})`)
    .returning('id')
    .execute()
  if (expired.length === 0) return
  for (const { id } of expired) await removeArchive(db, storage, id)
}

/** Removes the bytes first: a row without bytes is found again. */
export async function removeArchive(db: Db, storage: Storage, id: string) {
  const row = await db.selectFrom('imports').select('archiveId').where('id', '=', id).executeTakeFirst()
  if (!row?.archiveId) return
  await storage.remove([importKeyOf(row.archiveId)])
  await db.updateTable('imports').set({ archiveId: null }).where('id', '=', id).execute()
}
