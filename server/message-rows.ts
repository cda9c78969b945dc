import { type Kysely, sql, type Transaction } from 'kysely'
import type { Message } from '#contract/messages'
import type { DB } from './db/schema.ts'
import type { People } from './people.ts'

/** A message as it is stored; its author's name is drawn from the people. */
export type MessageRow = Omit<Message, 'user'>

/** ISO 8601 in UTC with milliseconds, written by the database: inside JSON no parser of ours sees the time. */
const iso = (column: string) =>
  sql`to_char(${sql.ref(`messages.${column}`)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const time = <C extends string>(column: C) => iso(column).$castTo<string>().as(column)
const timeOrNull = <C extends string>(column: C) => iso(column).$castTo<string | null>().as(column)

/** Messages without their authors; who may read them is the caller's to ask. */
export const selectMessages = (db: Kysely<DB> | Transaction<DB>) =>
  db
    .selectFrom('messages')
    .select([
      'messages.id',
      'messages.channelId',
      'messages.userId',
      'messages.content',
      'messages.clientId',
      'messages.seq',
      'messages.rev',
      time('createdAt'),
      time('updatedAt'),
      timeOrNull('editedAt'),
      timeOrNull('deletedAt'),
    ])

/** Puts the authors' names in. */
export async function withAuthors(people: People, rows: MessageRow[], peopleVersion?: number): Promise<Message[]> {
  const named = await people.named(
    rows.map(({ userId }) => userId),
    peopleVersion,
  )
  return rows.map((row) => ({ ...row, user: named(row.userId) }))
}
