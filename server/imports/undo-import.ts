import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { actAs } from '../audit/write-audit.ts'
import { purgeOnce } from '../channels/purge-channels.ts'
import { bumpRev } from '../channels/revision.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { sweepOnce } from '../files/sweep-files.ts'
import type { Services } from '../services.ts'
import { holdImport, type ImportJob } from './import-rows.ts'

const PAGE = 100
const PAUSE_MS = 20
/** Delay before checking again for files that a backup keeps. */
const WAIT_MS = 500

/**
 * Removes everything an import created: its channels with their contents, and the people whom nobody has claimed and who have
 * nothing elsewhere. Continues where it was after a crash.
 */
export async function undoImport(
  { db, log, storage, pollSoon }: Pick<Services, 'db' | 'log' | 'storage'> & { pollSoon: () => void },
  job: ImportJob,
  signal: AbortSignal,
) {
  while (await deleteChannels(db, job)) signal.throwIfAborted()
  await deleteEmoji(db, job)
  pollSoon()
  // Purge their rows and files now, because people are only removed once none of their messages are left.
  const pause = async (ms = PAUSE_MS) => {
    await db.transaction().execute((tx) => holdImport(tx, job))
    await sleep(ms, undefined, { signal })
  }
  while (await purgeOnce(db)) await pause()
  for (;;) {
    const areLeft = await dropFiles(db, job)
    while (await sweepOnce(db, storage)) await pause()
    if (!areLeft || !(await dropFiles(db, job))) break
    // No bytes are removed during a backup.
    await pause(WAIT_MS)
  }
  while (await deletePeople(db, job)) await pause()
  await keepOthers(db, job)
  while (await forgetItems(db, job)) await pause()
  log.info({ import: job.id }, 'an import was undone')
}

/** Deletes some channels for everybody. @returns whether there may be more */
async function deleteChannels(db: Db, job: ImportJob) {
  const channels = await db
    .selectFrom('import_items')
    .innerJoin('channels', (join) => join.on(sql<boolean>`channels.id = import_items.id::uuid`))
    .select('channels.id')
    .where('importId', '=', job.id)
    .where('import_items.kind', '=', 'channel')
    .where('deletedAt', 'is', null)
    .limit(PAGE)
    .execute()
  for (const { id } of channels)
    await db.transaction().execute(async (tx) => {
      await holdImport(tx, job)
      await actAs(tx, job.userId, {})
      const locked = tx.selectFrom('channels').select('id').where('id', '=', id).where('deletedAt', 'is', null)
      if (!(await locked.forNoKeyUpdate().executeTakeFirst())) return
      // Backdated by an hour, so that its rows are purged immediately.
      await bumpRev(tx, id, { deletedAt: sql`clock_timestamp() - interval '61 minutes'` })
    })
  return channels.length === PAGE
}

/** Removes the emoji that the import added; their pictures are swept. Where they were used, `:name:` remains. */
const deleteEmoji = (db: Db, job: ImportJob) =>
  db.transaction().execute(async (tx) => {
    await holdImport(tx, job)
    await tx.selectFrom('workspace').select('id').forNoKeyUpdate().execute()
    await tx.deleteFrom('emoji').where('importId', '=', job.id).execute()
  })

/** Imported people without a claim or any trace elsewhere. */
const unclaimedOf = (db: Db | Transaction<DB>, job: ImportJob) =>
  db
    .selectFrom('imported_people')
    .where('importId', '=', job.id)
    .where('claimedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('messages').select('messages.id').whereRef('messages.userId', '=', 'imported_people.userId')),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('files').select('files.id').whereRef('files.userId', '=', 'imported_people.userId'))),
    )
    // Excludes people who have been invited since.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memberships')
            .select('memberships.channelId')
            .whereRef('memberships.userId', '=', 'imported_people.userId'),
        ),
      ),
    )

/**
 * Marks files for removal that were stored for messages that were never imported. @returns whether files of unclaimed people are
 * still left
 */
async function dropFiles(db: Db, job: ImportJob): Promise<boolean> {
  const ofUnclaimed = sql<string>`any(array(
    select "userId" from imported_people where "importId" = ${job.id}::uuid and "claimedAt" is null))`
  await db
    .updateTable('files')
    .set({ state: 'gone' })
    .where('userId', '=', ofUnclaimed)
    .where('state', '=', 'pending')
    .execute()
  const left = db
    .selectFrom('files')
    .select('id')
    .where('userId', '=', ofUnclaimed)
    .where('state', '=', 'gone')
    .limit(1)
  return (await left.executeTakeFirst()) !== undefined
}

async function deletePeople(db: Db, job: ImportJob) {
  const people = await unclaimedOf(db, job).select('userId').limit(PAGE).execute()
  const ids = people.map(({ userId }) => userId)
  if (ids.length > 0)
    await db.transaction().execute(async (tx) => {
      await holdImport(tx, job)
      // Claiming, inviting or writing to one of them takes a lock on their row; check again once we have it.
      const listed = sql<string>`any(${ids}::text[])`
      await tx.selectFrom('users').select('id').where('id', '=', listed).orderBy('id').forUpdate().execute()
      const still = await unclaimedOf(tx, job).select('userId').where('userId', '=', listed).execute()
      if (still.length === 0) return
      const gone = still.map(({ userId }) => userId)
      await tx.deleteFrom('users').where('id', '=', sql<string>`any(${gone}::text[])`).execute()
    })
  return people.length === PAGE
}

/** The remaining people have written elsewhere, or something of theirs is held: nobody can sign in as them. */
const keepOthers = (db: Db, job: ImportJob) =>
  db
    .updateTable('users')
    .set({ deactivatedAt: sql<string>`clock_timestamp()` })
    .where('deactivatedAt', 'is', null)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('imported_people').select('userId').where('importId', '=', job.id).where('claimedAt', 'is', null),
    )
    .execute()

/** Forgets the imported ids, apart from people who stay, so that the same archive can be imported again. */
async function forgetItems(db: Db, job: ImportJob) {
  const { numAffectedRows } = await sql`
    delete from import_items where ctid = any(array(
      select ctid from import_items where "importId" = ${job.id}::uuid
        and not (kind = 'person' and exists (select from imported_people p where p."userId" = import_items.id))
      limit 5000))`.execute(db)
  return numAffectedRows === 5000n
}
