import { Readable } from 'node:stream'
import { sql, type Transaction } from 'kysely'
import { can } from '#contract/can'
import { limits } from '#contract/limits'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import { readWorkspaceName } from '../db/workspace-name.ts'
import { type Storage, storageKeyOf } from '../files/storage.ts'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import { exportMail } from '../mail/export-mail.ts'
import { startPolling } from '../process/poll.ts'
import { userRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { writeArchive } from './write-archive.ts'
import { createZip, type Zip } from './zip.ts'

const POLL_INTERVAL_MS = 10_000
/** A node that writes an archive touches its row; after this long without, it must have died, and another one starts over. */
const ABANDONED_AFTER_SECONDS = 30
const TOUCH_INTERVAL_MS = 2_000
const MAX_ATTEMPTS = 3

/** The archive's storage key: among the files, so that the sweep finds what a killed node left behind. */
export const archiveKeyOf = (archiveId: string) => `${storageKeyOf(archiveId)}.zip`

export interface Exporting {
  /** Checks for work as soon as possible. */
  wake(): void
  stop(): Promise<void>
}

/** Writes the requested archives, one at a time per node, and removes expired ones. */
export function startExporting(services: Services): Exporting {
  const { db, log, storage } = services
  let isStopped = false
  let current: Zip | undefined
  const poll = startPolling(
    { intervalMs: POLL_INTERVAL_MS, firstDelayMs: 1000, log, failure: 'an export failed' },
    async () => {
      await removeExpired(db, storage)
      const job = await claimExport(services)
      if (!job) return undefined
      if (isStopped) {
        await requeue(db, job, isStopped)
        return undefined
      }
      await runExport(services, job, {
        onZip: (zip) => {
          current = zip
        },
        isStopping: () => isStopped,
      })
      return 0
    },
  )
  return {
    wake: poll.runSoon,
    async stop() {
      isStopped = true
      current?.fail(new Error('The server is stopping'))
      await poll()
    },
  }
}

interface Job {
  id: string
  userId: string
  scope: 'mine' | 'channel' | 'workspace'
  channelId: string | null
  archiveId: string
}

/** Claims the oldest export that nobody works on. Each attempt writes its own archive. */
async function claimExport(services: Services): Promise<Job | undefined> {
  const { db, storage } = services
  const archiveId = newId()
  const { rows } = await sql<Job & { previous: string | null; attempts: number }>`
    update exports e set state = 'running', "archiveId" = ${archiveId}, attempts = e.attempts + 1,
      messages = 0, "touchedAt" = clock_timestamp()
    from (
      select id, "archiveId" as previous from exports
      where state = 'queued' or (state = 'running'
        and "touchedAt" < clock_timestamp() - make_interval(secs => ${ABANDONED_AFTER_SECONDS}))
      order by "createdAt" limit 1 for update skip locked
    ) next
    where e.id = next.id
    returning e.id, e."userId", e.scope, e."channelId", e."archiveId", e.attempts, next.previous
  `.execute(db)
  const [job] = rows
  if (!job) return undefined
  if (job.previous) await storage.remove([archiveKeyOf(job.previous)])
  if (job.attempts <= MAX_ATTEMPTS) return job
  await finish(services, job, { state: 'failed' })
  return undefined
}

interface Attempt {
  onZip: (zip: Zip | undefined) => void
  isStopping: () => boolean
}

async function runExport(services: Services, job: Job, { onZip, isStopping }: Attempt) {
  const { db, doors, log, people, storage } = services
  const zip = createZip()
  onZip(zip)
  let touchedAt = 0
  const touch = async (messages: number, total: number) => {
    if (performance.now() - touchedAt < TOUCH_INTERVAL_MS && messages < total) return
    touchedAt = performance.now()
    const { numUpdatedRows } = await ownRow(db, job)
      .set({ messages, total, touchedAt: sql<string>`clock_timestamp()` })
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Error('The export was cancelled or taken over')
  }
  // A single large file may take longer than a node counts as alive.
  const alive = setInterval(() => {
    ownRow(db, job)
      .set({ touchedAt: sql<string>`clock_timestamp()` })
      .executeTakeFirst()
      .then(({ numUpdatedRows }) => numUpdatedRows === 0n && zip.fail(new Error('The export was cancelled')))
      .catch(() => {})
  }, TOUCH_INTERVAL_MS)
  try {
    const key = archiveKeyOf(job.archiveId)
    let size = 0
    async function* counted() {
      for await (const chunk of zip.stream as AsyncIterable<Buffer>) {
        size += chunk.length
        yield chunk
      }
    }
    const stored = storage.write(key, Readable.from(counted()))
    const mayRead = async ({ id }: { id: string }) => {
      const channel = await doors.load({ channelId: id, userId: job.userId })
      if (!channel) return false
      if (job.scope === 'channel') return can.exportChannel({ id: job.userId }, channel)
      return job.scope === 'mine' ? channel.isMember : can.readIn(channel.viewer, channel)
    }
    const written = writeArchive({
      db,
      storage,
      zip,
      scope: job.scope,
      readerId: job.userId,
      channelId: job.channelId,
      mayRead,
      namesOf: (ids) => people.namesOf(ids),
      onProgress: touch,
    }).catch((error) => {
      zip.fail(error)
      throw error
    })
    await Promise.all([written, stored])
    const isMine = await finish(services, job, { state: 'done', size })
    if (!isMine) await storage.remove([key])
  } catch (error) {
    log.warn({ err: error, export: job.id }, 'an archive could not be written yet')
    await requeue(db, job, isStopping())
  } finally {
    clearInterval(alive)
    onZip(undefined)
  }
}

/** Retried immediately, and failed after some attempts. One that ended because the node stopped doesn't count. */
const requeue = (db: Db, job: Job, isStopping: boolean) =>
  ownRow(db, job)
    .set((row) => ({ state: 'queued', ...(isStopping && { attempts: row('attempts', '-', 1) }) }))
    .execute()

/** The row, as long as this attempt owns it. */
const ownRow = (db: Pick<Db, 'updateTable'>, { id, archiveId }: Job) =>
  db.updateTable('exports').where('id', '=', id).where('archiveId', '=', archiveId).where('state', '=', 'running')

/** Tells the person that it is over, in their open pages and by mail. @returns whether this attempt still owned the row */
async function finish(
  { config, db, publish }: Services,
  job: Job,
  { state, size = null }: { state: 'done' | 'failed'; size?: number | null },
) {
  const isFinished = await db.transaction().execute(async (tx) => {
    const row = await ownRow(tx, job)
      .set({
        state,
        size,
        finishedAt: sql<string>`clock_timestamp()`,
        expiresAt: sql<string>`clock_timestamp() + make_interval(hours => ${limits.exports.hours})`,
      })
      .returning('expiresAt')
      .executeTakeFirst()
    if (row && config.mail) await mailPerson(tx, config, job, { isDone: state === 'done', expiresAt: row.expiresAt })
    return row !== undefined
  })
  if (isFinished) publish(userRoom(job.userId), 'export:finished', { id: job.id, isDone: state === 'done' })
  return isFinished
}

async function mailPerson(
  tx: Transaction<DB>,
  config: Config,
  { userId, scope }: Job,
  { isDone, expiresAt }: { isDone: boolean; expiresAt: string | null },
) {
  const { email, language } = await tx
    .selectFrom('users')
    .select(['email', 'language'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const content = exportMail({
    isDone,
    isWorkspace: scope === 'workspace',
    expiresAt: new Date(expiresAt ?? Date.now()),
    language,
    workspace: await readWorkspaceName(tx),
    publicUrl: config.mail?.publicUrl ?? '',
  })
  if (email) await enqueueMail(tx, config, { to: email, userId, content })
}

/** Removes the bytes first: a row without bytes is found again. */
async function removeExpired(db: Db, storage: Storage) {
  const expired = await db
    .selectFrom('exports')
    .select(['id', 'archiveId'])
    .where('expiresAt', '<', sql<string>`clock_timestamp()`)
    .limit(100)
    .execute()
  if (expired.length === 0) return
  await storage.remove(expired.flatMap(({ archiveId }) => (archiveId ? [archiveKeyOf(archiveId)] : [])))
  const ids = expired.map(({ id }) => id)
  await db.deleteFrom('exports').where('id', 'in', ids).execute()
}
