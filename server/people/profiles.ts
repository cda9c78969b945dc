import type { Kysely, Transaction } from 'kysely'
import type { Profile, Role } from '#contract/users'
import type { DB } from '../db/schema.ts'
import type { Presence } from './presence.ts'

/** NameCache as the directory shows them; `withStatus` adds what only lives in memory. Without their e-mail. */
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

/** What a person may do in the workspace; ask within the transaction that acts upon it, where there is one. */
export async function roleOf(db: Kysely<DB> | Transaction<DB>, userId: string): Promise<Role> {
  const found = await db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst()
  return (found?.role ?? 'member') as Role
}
