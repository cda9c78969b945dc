import { type Kysely, sql, type Transaction } from 'kysely'
import type { Obstacle } from '#contract/account'
import type { DB } from '../db/schema.ts'
import { conflict, unauthenticated } from '../errors.ts'
import { hasDirectory } from '../people/directory.ts'

/**
 * Why somebody cannot delete their account: they own the workspace, or a directory provides the account and would recreate it.
 * Once no directory has a token, nobody's account counts as provided.
 * @throws AppError 401 if it is deactivated or deleted already
 */
export async function obstacleTo(db: Kysely<DB> | Transaction<DB>, userId: string): Promise<Obstacle | null> {
  const person = await db
    .selectFrom('users')
    .select('role')
    .select(
      sql<boolean>`
        exists (select from provided_people p where p."userId" = users.id and p."deletedAt" is null)
        and ${hasDirectory}
      `.as('isProvided'),
    )
    .where('id', '=', userId)
    .where('deactivatedAt', 'is', null)
    .executeTakeFirst()
  if (!person) throw unauthenticated()
  if (person.role === 'owner') return 'owner'
  return person.isProvided ? 'directory' : null
}

/** @throws AppError 401, 409 `owner_hands_over` or `account_provided` */
export async function requireDeletable(db: Kysely<DB> | Transaction<DB>, userId: string) {
  const obstacle = await obstacleTo(db, userId)
  if (obstacle === 'owner') throw conflict('owner_hands_over', 'errors.ownerHandsOver')
  if (obstacle === 'directory') throw conflict('account_provided', 'errors.accountProvided')
}
