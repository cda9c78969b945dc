import { sql } from 'kysely'
import { writeAudit } from '../audit/write-audit.ts'
import type { Db } from '../db/database.ts'
import { type Manifest, storedBytes } from './manifest.ts'

const MAX_FAILURE_LENGTH = 500

/** What is known about the last backup of a workspace, on all nodes. */
export interface LastBackup {
  /** Of the workspace. */
  filesId: string
  /** When the state that it holds was current; undefined if there is none. */
  madeAt: Date | undefined
  seconds: number
  /** Of its tables, as they are stored, and of its files. */
  bytes: number
  /** Why the last attempt failed; undefined if it succeeded. */
  failure: string | undefined
}

export async function readLastBackup(db: Db): Promise<LastBackup> {
  const row = await db
    .selectFrom('workspace')
    .select(['filesId', 'backedUpAt', 'backupSeconds', 'backupBytes', 'backupFailure'])
    .executeTakeFirstOrThrow()
  return {
    filesId: row.filesId,
    madeAt: row.backedUpAt ? new Date(row.backedUpAt) : undefined,
    seconds: row.backupSeconds ?? 0,
    bytes: Number(row.backupBytes ?? 0),
    failure: row.backupFailure ?? undefined,
  }
}

/** @param seconds undefined if it is only for the audit log */
export async function recordBackup(db: Db, { name, madeAt, tables, files }: Manifest, seconds: number | undefined) {
  const bytes = storedBytes(tables) + (files?.bytes ?? 0)
  await db.transaction().execute(async (tx) => {
    if (seconds !== undefined)
      await tx
        .updateTable('workspace')
        .set({ backedUpAt: madeAt, backupSeconds: seconds, backupBytes: bytes, backupFailure: null })
        .execute()
    const details = { name, files: files?.count ?? 0 }
    await writeAudit(tx, { kind: 'backup_made', actorId: null, details })
  })
}

/** Does nothing if another backup has succeeded meanwhile. @param seconds since this one began */
export async function recordFailure(db: Db, { message }: Error, seconds: number) {
  const backupFailure = message.slice(0, MAX_FAILURE_LENGTH) || 'for an unknown reason'
  await db
    .updateTable('workspace')
    .set({ backupFailure })
    .where((is) =>
      is.or([
        is('backedUpAt', 'is', null),
        is('backedUpAt', '<', sql<string>`now() - make_interval(secs => ${seconds})`),
      ]),
    )
    .execute()
}
