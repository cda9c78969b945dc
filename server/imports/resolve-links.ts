import { sql } from 'kysely'
import { limits } from '#contract/limits'
import type { Db } from '../db/database.ts'
import { fold } from '../text/fold.ts'
import { holdImport, type ImportJob } from './import-rows.ts'
import type { MessageRecord } from './records.ts'
import { type Names, renderContent } from './render-content.ts'

interface Options {
  db: Db
  job: ImportJob
  source: string
  names: (keys: string[]) => Promise<Names>
}

/** Completes messages that link to messages imported later. */
export async function resolveLinks({ db, job, source, names }: Options) {
  const PAGE = 200
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('import_items')
      .select(['key', 'id', 'pending'])
      .where('source', '=', source)
      .where('kind', '=', 'message')
      .where('importId', '=', job.id)
      .where('pending', 'is not', null)
      .where('key', '>', after)
      .orderBy('key')
      .limit(PAGE)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.key
    const all = rows.map(({ id, pending }) => ({ id, parts: pending as unknown as MessageRecord['content'] }))
    const known = await names(
      all.flatMap(({ parts }) => parts.flatMap((part) => ('message' in part ? part.message : []))),
    )
    await db.transaction().execute(async (tx) => {
      await holdImport(tx, job)
      const rendered = all
        .map(({ id, parts }) => ({ id, ...renderContent(parts, known) }))
        .filter(({ content }) => content.length <= limits.messageContent)
      const ids = rendered.map(({ id }) => id)
      const contents = rendered.map(({ content }) => content)
      await sql`update messages set content = it.content
        from unnest(${ids}::uuid[], ${contents}::text[]) it (id, content) where messages.id = it.id`.execute(tx)
      await sql`update message_search set text = it.text, block = null
        from unnest(${ids}::uuid[], ${contents.map(fold)}::text[]) it (id, text)
        where "messageId" = it.id`.execute(tx)
      await tx
        .updateTable('import_items')
        .set({ pending: null })
        .where('source', '=', source)
        .where('kind', '=', 'message')
        .where('key', '=', sql<string>`any(${rows.map(({ key }) => key)}::text[])`)
        .execute()
    })
  }
}
