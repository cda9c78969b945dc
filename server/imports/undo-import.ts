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
/** Until the files are looked at again that a backup keeps. */
const WAIT_MS = 500

/**
 * Removes what an import has brought: its channels with all that is in them, and the people whom nobody has signed in as and
 * who have nothing elsewhere. After a crash it goes on where it was.
 */
export async function undoImport(
  { db, log, storage, pollSoon }: Pick<Services, 'db' | 'log' | 'storage'> & { pollSoon: () => void },
  job: ImportJob,
  signal: AbortSignal,
) {
  while (await deleteChannels(db, job)) signal.throwIfAborted()
  pollSoon()
  // Their rows and files go now, because people are only removed once they have written nothing.
  const pause = async (ms = PAUSE_MS) => {
    await db.transaction().execute((tx) => holdImport(tx, job))
    await sleep(ms, undefined, { signal })
  }
  while (await purgeOnce(db)) await pause()
  for (;;) {
    const areLeft = await dropFiles(db, job)
    while (await sweepOnce(db, storage)) await pause()
    if (!areLeft || !(await dropFiles(db, job))) break
    // While a backup runs, no bytes go.
    await pause(WAIT_MS)
  }
  while (await deletePeople(db, job)) await pause()
  await keepOthers(db, job)
  while (await forgetItems(db, job)) await pause()
  log.info({ import: job.id }, 'an import was undone')
}

/** Ends some channels for everybody. @returns whether there may be more */
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
      // As if an hour ago: its rows are removed at once.
      await bumpRev(tx, id, { deletedAt: sql`clock_timestamp() - interval '61 minutes'` })
    })
  return channels.length === PAGE
}

/** People who were imported, and who are nobody. */
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
    // Somebody has invited them since.
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
 * Lets the files go that an attempt had stored, and whose messages it did not come to. @returns whether files of people whom
 * nobody has signed in as are still to go
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
      // Whoever claims one meanwhile, writes or invites them has a lock on it; then it is asked again.
      const listed = sql<string>`any(${ids}::text[])`
      await tx.selectFrom('users').select('id').where('id', '=', listed).orderBy('id').forUpdate().execute()
      const still = await unclaimedOf(tx, job).select('userId').where('userId', '=', listed).execute()
      if (still.length === 0) return
      const gone = still.map(({ userId }) => userId)
      await tx.deleteFrom('users').where('id', '=', sql<string>`any(${gone}::text[])`).execute()
    })
  return people.length === PAGE
}

/** Who is left has written elsewhere, or something of theirs is held: nobody can sign in as them. */
const keepOthers = (db: Db, job: ImportJob) =>
  db
    .updateTable('users')
    .set({ deactivatedAt: sql<string>`clock_timestamp()` })
    .where('deactivatedAt', 'is', null)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('imported_people').select('userId').where('importId', '=', job.id).where('claimedAt', 'is', null),
    )
    .execute()

/** Forgets what was imported as what, apart from people who stay, so that the same archive can be imported again. */
async function forgetItems(db: Db, job: ImportJob) {
  const { numAffectedRows } = await sql`
    delete from import_items where ctid = any(array(
      select ctid from import_items where "importId" = ${job.id}::uuid
        and not (kind = 'person' and exists (select from imported_people p where p."userId" = import_items.id))
      limit 5000))`.execute(db)
  return numAffectedRows === 5000n
}
