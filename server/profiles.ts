import type { Kysely, Transaction } from 'kysely'
import type { Profile } from '#contract/users'
import type { DB } from './db/schema.ts'
import type { Presence } from './presence.ts'

/** People as the directory shows them; `withStatus` adds what only lives in memory. Without their e-mail. */
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

/** Matches what holds the text, whatever its case; the text's own `%` and `_` mean themselves. */
export const holding = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
