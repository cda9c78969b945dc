import { type Kysely, sql, type Transaction } from 'kysely'
import { limits } from '#contract/limits'
import type { MessageVersion } from '#contract/message-versions'
import type { DB } from '../db/schema.ts'
import type { MessageRow } from './message-rows.ts'

/** Keeps the text of a message that is about to be edited, if the workspace keeps any. Its channel is locked. */
export async function keepVersion(tx: Transaction<DB>, { id, content, createdAt, editedAt }: MessageRow) {
  await sql`
    insert into message_versions ("messageId", number, content, "writtenAt")
    select ${id}::uuid, ${lastNumber(id)} + 1, ${content}, ${editedAt ?? createdAt}::timestamptz
    from workspace where "keepsVersions"
  `.execute(tx)
  // The first one stays: it is what people read at the time.
  await sql`
    delete from message_versions where "messageId" = ${id}
      and (select count(*) from message_versions where "messageId" = ${id}) > ${limits.versions.kept}
      and number = (select number from message_versions where "messageId" = ${id} order by number offset 1 limit 1)
  `.execute(tx)
}

export const deleteVersions = (tx: Transaction<DB>, messageId: string) =>
  tx.deleteFrom('message_versions').where('messageId', '=', messageId).execute()

/** The versions of a message and its current text, newest first, from one snapshot. None of a deleted message. */
export async function readVersions(
  db: Kysely<DB>,
  messageId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<MessageVersion[]> {
  const { rows } = await sql<MessageVersion>`
    select version.* from messages m cross join lateral (
      select ${lastNumber(messageId)} + 1 as number, m.content, coalesce(m."editedAt", m."createdAt") as at
      union all
      select number, content, "writtenAt" from message_versions where "messageId" = m.id
    ) version
    where m.id = ${messageId} and m."deletedAt" is null and (${before ?? null}::integer is null or number < ${before ?? null})
    order by number desc limit ${limit}
  `.execute(db)
  return rows
}

export async function keepsVersions(db: Kysely<DB>): Promise<boolean> {
  const { keepsVersions } = await db.selectFrom('workspace').select('keepsVersions').executeTakeFirstOrThrow()
  return keepsVersions
}

const lastNumber = (messageId: string) =>
  sql`coalesce((select max(number) from message_versions where "messageId" = ${messageId}), 0)`
