import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../db/schema.ts'

/** The columns of `LaterItem`. */
export const laterColumns = ['id', 'messageId', 'text', 'rev', 'createdAt', 'dueAt', 'remindedAt', 'doneAt'] as const

/** All items of a person, whether open or done. */
export const selectLater = (db: Kysely<DB> | Transaction<DB>, userId: string) =>
  db.selectFrom('later_items').select(laterColumns).where('userId', '=', userId)
