import type { Kysely, Transaction } from 'kysely'
import type { Profile, Role } from '#contract/users'
import type { DB } from '../db/schema.ts'
import type { Presence } from './presence.ts'

/** Users as the directory shows them, without their e-mail; `withStatus` adds the presence, which is only in memory. */
export const selectProfiles = (db: Kysely<DB> | Transaction<DB>) =>
  db
    .selectFrom('users')
    .select([
      'users.id',
      'users.username',
      'users.name',
      'users.statusEmoji as user_status',
      'users.image as avatarUrl',
      'users.deactivatedAt',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof selectProfiles>['execute']>>[number]

export const withStatus = <R extends Row>(presence: Presence, row: R): Profile => ({
  ...row,
  status: presence.statusOf(row.id),
})

/** The role of a user in the workspace; read it in the transaction that depends on it, if there is one. */
export async function roleOf(db: Kysely<DB> | Transaction<DB>, userId: string): Promise<Role> {
  const found = await db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst()
  return (found?.role ?? 'member') as Role
}
