import { sql, type Transaction } from 'kysely'
import type { DB } from '../db/schema.ts'

/** Call first in a transaction that changes users, so that concurrent changes are serialized. */
export async function bumpPeopleVersion(tx: Transaction<DB>): Promise<number> {
  const { peopleVersion } = await tx
    .updateTable('workspace')
    .set({ peopleVersion: sql`"peopleVersion" + 1` })
    .returning('peopleVersion')
    .executeTakeFirstOrThrow()
  return peopleVersion
}

/** Disables somebody's account until it is reactivated. Every node closes the sockets of deleted sessions. */
export async function deactivate(tx: Transaction<DB>, userId: string) {
  const deactivatedAt = sql<string>`coalesce("deactivatedAt", now())`
  await tx.updateTable('users').set({ deactivatedAt }).where('id', '=', userId).execute()
  await tx.deleteFrom('sessions').where('userId', '=', userId).execute()
  await tx.deleteFrom('password_resets').where('userId', '=', userId).execute()
  await tx.deleteFrom('handovers').where('toId', '=', userId).execute()
  await endLinksOf(tx, userId)
}

/** Revokes the invites and password links that somebody created, once they may no longer do so. */
export async function endLinksOf(tx: Transaction<DB>, userId: string) {
  await tx
    .updateTable('invites')
    .set({ revokedAt: sql<string>`now()` })
    .where('createdBy', '=', userId)
    .where('revokedAt', 'is', null)
    .execute()
  await tx.deleteFrom('password_resets').where('createdBy', '=', userId).execute()
}

/** Whether somebody is a guest whose time has ended. */
export async function hasEnded(tx: Transaction<DB>, userId: string): Promise<boolean> {
  const guest = tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('role', '=', 'guest')
    .where('guestUntil', '<=', sql<string>`clock_timestamp()`)
  return (await guest.executeTakeFirst()) !== undefined
}
