import { sql, type Transaction } from 'kysely'
import type { ImportPlan, ImportState } from '#contract/imports'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import type { ReadChoices } from './records.ts'
import type { SlackOutcome } from './slack/slack-files.ts'

type ItemKind = 'person' | 'channel' | 'message'

/** What the owner chose. */
export interface ImportChoices extends ReadChoices {
  /** Names and ids by the keys of the archive. */
  channels?: Record<string, string>
  people?: Record<string, string>
  /** Present if files are fetched from Slack. The token is sealed. */
  slack?: { token?: string; skipsRefused?: boolean | undefined }
}

/** An import, as claimed by one attempt. */
export interface ImportJob {
  id: string
  userId: string
  archiveId: string | null
  size: number
  format: string | null
  state: ImportState
  plan: ImportPlan | null
  choices: ImportChoices
  startedAt: string | null
  claim: string
  attempts: number
}

/** The owner's choice for a key of the archive, which may be any text. */
export const choiceOf = (choices: Record<string, string> = {}, key: string) =>
  Object.hasOwn(choices, key) ? choices[key] : undefined

/**
 * Set once an import is closed: its plan contains names of private channels and addresses that a later owner may not read, and is
 * no longer needed.
 */
export const forgotten = { plan: null, choices: '{}' }

/** The row, as long as this attempt owns it. */
export const ownRow = (db: Db | Transaction<DB>, { id, claim, state }: Pick<ImportJob, 'id' | 'claim' | 'state'>) =>
  db.updateTable('imports').where('id', '=', id).where('claim', '=', claim).where('state', '=', state)

/**
 * Call first in each transaction of an attempt: locks the import, so that only one of two nodes writes, and a cancelled import
 * writes nothing more.
 */
export async function holdImport(tx: Transaction<DB>, job: ImportJob, messages = 0) {
  const { numUpdatedRows } = await ownRow(tx, job)
    .set({ messages: sql`messages + ${messages}`, touchedAt: sql<string>`clock_timestamp()` })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new ImportLost()
}

/** How many files that could not be fetched are named. */
const MAX_NAMED = 500

/** Adds to the plan what was fetched, and the names of what was not. Call after `holdImport`. */
export async function noteFetched(tx: Transaction<DB>, job: ImportJob, outcome: SlackOutcome) {
  const { files, bytes, missing, missingFiles } = outcome
  if (files + missing.length === 0) return
  const row = await tx.selectFrom('imports').select('plan').where('id', '=', job.id).executeTakeFirstOrThrow()
  const plan = row.plan as unknown as ImportPlan
  const { count, names } = plan.notFetched ?? { count: 0, names: [] }
  // After a restart, emoji are looked up again.
  const added = missing.filter((name) => !(/^:.+:$/.test(name) && names.includes(name)))
  const notFetched = { count: count + added.length, names: [...names, ...added].slice(0, MAX_NAMED) }
  const counts = { files: plan.files + files, fileBytes: plan.fileBytes + bytes }
  const linked = plan.linked && {
    ...plan.linked,
    files: Math.max(plan.linked.files - files - missingFiles, 0),
    fetched: plan.linked.fetched + files,
    bytes: Math.max(plan.linked.bytes - bytes, 0),
  }
  await tx
    .updateTable('imports')
    .set({ plan: JSON.stringify({ ...plan, ...counts, linked, ...(notFetched.count > 0 && { notFetched }) }) })
    .where('id', '=', job.id)
    .execute()
}

/** The import was cancelled, or another node has taken over. */
export class ImportLost extends Error {
  constructor() {
    super('the import was cancelled or taken over')
  }
}

/** The ids that keys of an archive were imported as. */
export async function itemsOf(db: Db | Transaction<DB>, source: string, kind: ItemKind, keys: string[]) {
  if (keys.length === 0) return new Map<string, string>()
  const rows = await db
    .selectFrom('import_items')
    .select(['key', 'id'])
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .execute()
  return new Map(rows.map(({ key, id }) => [key, id]))
}
