import { type Kysely, sql, type Transaction } from 'kysely'
import { type ChangedPermissions, permissionsOf } from '#contract/permission-table'
import type { Role } from '#contract/roles'
import type { Profile } from '#contract/users'
import type { DB } from '../db/schema.ts'
import type { Presence } from './presence.ts'
import { statusColumns } from './status-columns.ts'

/** Users as listed to others, without e-mail addresses. `withStatus` adds the presence, which is only in memory. */
export const selectProfiles = (db: Kysely<DB> | Transaction<DB>) =>
  db
    .selectFrom('users')
    .select(['users.id', 'users.username', 'users.name', 'users.isNamesake', 'users.color'])
    .select(['users.image as avatarUrl', 'users.deactivatedAt'])
    .select(statusColumns)

type Row = Awaited<ReturnType<ReturnType<typeof selectProfiles>['execute']>>[number]

export const withStatus = <R extends Row>(
  presence: Presence,
  { statusText, statusUntil, availability, quietUntil, isNamesake, color, ...row }: R,
): Profile => ({
  ...row,
  status: presence.statusOf(row.id),
  // Omitted for most people.
  ...(isNamesake && { isNamesake }),
  ...(color !== null && { color }),
  ...(statusText && { statusText }),
  ...(statusUntil && { statusUntil }),
  ...(availability && { availability, quietUntil }),
  ...(presence.isIdle(row.id) && { isIdle: true }),
})

/** The role of a user in the workspace; read it in the transaction that depends on it, if there is one. */
export async function roleOf(db: Kysely<DB> | Transaction<DB>, userId: string): Promise<Role> {
  const found = await db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst()
  return (found?.role ?? 'member') as Role
}

/** A user with their permissions; read it in the transaction that depends on it, if there is one. */
export async function readPerson(db: Kysely<DB> | Transaction<DB>, userId: string) {
  const found = await db
    .selectFrom('users')
    .innerJoin('workspace', (join) => join.onTrue())
    .select(['role', 'permissions', 'guestUntil', 'mutedUntil'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  const role = (found?.role ?? 'guest') as Role
  const may = permissionsOf(role, (found?.permissions ?? {}) as ChangedPermissions)
  return { id: userId, role, may, guestUntil: found?.guestUntil ?? null, mutedUntil: found?.mutedUntil ?? null }
}

/** Whether the owner has asked this user to take over the workspace, without an answer so far. */
export async function isAsked(db: Kysely<DB>, userId: string): Promise<boolean> {
  const open = db
    .selectFrom('handovers')
    .innerJoin('users as owner', 'owner.id', 'handovers.fromId')
    .where('owner.role', '=', 'owner')
    .where('toId', '=', userId)
    .where('expiresAt', '>', sql<string>`clock_timestamp()`)
    .select('handovers.id')
  return (await open.executeTakeFirst()) !== undefined
}
