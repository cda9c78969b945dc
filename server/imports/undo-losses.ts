import { sql } from 'kysely'
import type { UndoLosses } from '#contract/imports'
import type { Db } from '../db/database.ts'
import { idAt } from '../db/ids.ts'

/**
 * Counts what people have added to the channels of an import since it began, and would lose by undoing it. Messages of the archive
 * from the future count as theirs.
 */
export async function readUndoLosses(db: Db, importId: string, startedAt: string): Promise<UndoLosses> {
  // Reads messages in the order of their ids, which begin with their times, so only those since then.
  const since = `${idAt(Date.parse(startedAt), 0).slice(0, 13)}-7000-8000-000000000000`
  const { rows } = await sql<UndoLosses>`
    with imported as materialized (
      select id::uuid from import_items where "importId" = ${importId}::uuid and kind = 'channel'
    )
    select
      (select count(*)::int from messages m where m.id >= ${since}::uuid and m."deletedAt" is null
        and m."channelId" in (select id from imported)
      ) as messages,
      (select count(*)::int from reactions r join messages m on m.id = r."messageId"
        where r."createdAt" >= ${startedAt}::timestamptz and m.id < ${since}::uuid
        and m."channelId" in (select id from imported)
      ) as reactions`.execute(db)
  return rows[0] as UndoLosses
}
