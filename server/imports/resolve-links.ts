import { sql, type Transaction } from 'kysely'
import { limits } from '#contract/limits'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { searchTextOf } from '../search/search-text.ts'
import { holdImport, type ImportJob } from './import-rows.ts'
import type { PendingTexts } from './imported-rows.ts'
import type { ContentPart } from './records.ts'
import { type Names, renderContent } from './render-content.ts'

interface Options {
  db: Db
  job: ImportJob
  source: string
  names: (keys: string[]) => Promise<Names>
}

/** A message with earlier texts may have half a million characters. */
const PAGE = 25

/** Completes messages that link to messages imported later. */
export async function resolveLinks({ db, job, source, names }: Options) {
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
    const all = rows.map(({ id, pending }) => ({ id, ...textsOf(pending) }))
    const known = await names(
      all.flatMap(({ content, earlier }) =>
        [content, ...earlier]
          .flatMap((parts) => parts ?? [])
          .flatMap((part) => ('message' in part ? part.message : [])),
      ),
    )
    const rendered = (parts: ContentPart[] | null) => {
      const text = parts && renderContent(parts, known).content
      return text !== null && text.length <= limits.messageContent ? [text] : []
    }
    await db.transaction().execute(async (tx) => {
      await holdImport(tx, job)
      await updateTexts(
        tx,
        all.flatMap(({ id, content }) => rendered(content).map((text) => ({ id, content: text }))),
      )
      await updateVersions(
        tx,
        all.flatMap(({ id, earlier }) =>
          earlier.flatMap((parts, index) => rendered(parts).map((content) => ({ id, number: index + 1, content }))),
        ),
      )
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

function textsOf(pending: unknown) {
  const texts = pending as PendingTexts
  return Array.isArray(texts) ? { content: texts, earlier: [] } : texts
}

async function updateTexts(tx: Transaction<DB>, texts: { id: string; content: string }[]) {
  const ids = texts.map(({ id }) => id)
  const contents = texts.map(({ content }) => content)
  await sql`update messages set content = it.content
    from unnest(${ids}::uuid[], ${contents}::text[]) it (id, content) where messages.id = it.id`.execute(tx)
  await sql`update message_search set text = it.text, block = null
    from unnest(${ids}::uuid[], ${contents.map(searchTextOf)}::text[]) it (id, text)
    where "messageId" = it.id`.execute(tx)
}

const updateVersions = (tx: Transaction<DB>, versions: { id: string; number: number; content: string }[]) =>
  sql`update message_versions v set content = it.content
    from jsonb_to_recordset(${JSON.stringify(versions)}::jsonb) it (id uuid, number integer, content text)
    where v."messageId" = it.id and v.number = it.number`.execute(tx)
