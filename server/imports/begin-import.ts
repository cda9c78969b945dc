import { sql, type Transaction } from 'kysely'
import type { ImportPlan, ImportState, TopicsAs } from '#contract/imports'
import { limits } from '#contract/limits'
import type { Seal } from '../config/seal.ts'
import type { DB } from '../db/schema.ts'
import type { ImportChoices } from './import-rows.ts'

/**
 * Lets the nodes import what was read, as the owner chose. Call within a transaction.
 * @param topics what the owner was shown that they become
 * @returns whether it was ready for that
 */
export async function beginImport(
  tx: Transaction<DB>,
  importId: string,
  choices: ImportChoices,
  topics?: TopicsAs,
): Promise<boolean> {
  const row = await readyRow(tx, importId)
  if (!row) return false
  const plan = row.plan as unknown as ImportPlan
  if (topics && plan.topics && plan.topics.as !== topics) return false
  await tx
    .updateTable('imports')
    .set({
      ...{ state: 'running', attempts: 0, touchedAt: null, messages: 0 },
      choices: JSON.stringify({ ...choices, ...(plan.topics?.as === 'channels' && { topics: 'channels' }) }),
      plan: JSON.stringify(choices.slack ? plan : withoutLinked(plan)),
      startedAt: sql<string>`clock_timestamp()`,
    })
    .where('id', '=', importId)
    .execute()
  return true
}

const readyRow = (tx: Transaction<DB>, importId: string) =>
  tx
    .selectFrom('imports')
    .select('plan')
    .where('id', '=', importId)
    .where('state', '=', 'ready')
    .forUpdate()
    .executeTakeFirst()

/**
 * Lets the nodes read an archive again, with its topics as something else. The plan stays until they have. Call within a
 * transaction.
 * @returns why not: it is not ready for that, has no topics, or too many
 */
export async function readAgain(
  tx: Transaction<DB>,
  importId: string,
  as: TopicsAs,
): Promise<'state' | 'noTopics' | 'tooMany' | undefined> {
  const row = await readyRow(tx, importId)
  if (!row) return 'state'
  const { topics } = row.plan as unknown as ImportPlan
  if (!topics) return 'noTopics'
  if (topics.as === as) return undefined
  if (as === 'channels' && topics.count > limits.imports.topics) return 'tooMany'
  await tx
    .updateTable('imports')
    .set({
      ...{ state: 'reading', claim: null, attempts: 0, touchedAt: null, messages: 0, total: 0 },
      choices: JSON.stringify(as === 'channels' ? { topics: as } : {}),
    })
    .where('id', '=', importId)
    .execute()
  return undefined
}

const MAX_EXAMPLES = 3

/** Files that are not fetched are left out. */
function withoutLinked(plan: ImportPlan): ImportPlan {
  const { linked, omitted } = plan
  if (!linked?.files) return plan
  const known = omitted.find(({ omission }) => omission === 'missingFile')
  const missing = {
    omission: 'missingFile',
    count: linked.files + (known?.count ?? 0),
    examples: [...new Set([...linked.examples, ...(known?.examples ?? [])])].slice(0, MAX_EXAMPLES),
  }
  const none = { ...linked, files: 0, bytes: 0 }
  return { ...plan, linked: none, omitted: [missing, ...omitted.filter((it) => it !== known)] }
}

/**
 * Lets the nodes go on with an import that failed. Call within a transaction.
 * @param change what the owner changes about fetching files
 * @returns whether it had failed, and can go on
 */
export async function retryImport(
  tx: Transaction<DB>,
  importId: string,
  change: { slack?: ImportChoices['slack']; withoutFiles?: boolean | undefined },
): Promise<boolean> {
  const row = await tx
    .selectFrom('imports')
    .select(['choices', 'failedIn', 'plan'])
    .where('id', '=', importId)
    .where('state', '=', 'failed')
    .where('archiveId', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return false
  const { slack, ...choices } = row.choices as ImportChoices
  const plan = row.plan as unknown as ImportPlan | null
  const isFetching = slack !== undefined && !change.withoutFiles
  await tx
    .updateTable('imports')
    .set({
      ...{ state: row.failedIn as ImportState, problem: null, failedIn: null, attempts: 0, touchedAt: null },
      choices: JSON.stringify(isFetching ? { ...choices, slack: { ...slack, ...change.slack } } : choices),
      ...(plan && change.withoutFiles && { plan: JSON.stringify(withoutLinked(plan)) }),
    })
    .where('id', '=', importId)
    .execute()
  return true
}

/** What the owner chose about Slack, with a sealed token. */
export const withSealed = (
  seal: Seal,
  { token, ...more }: { token?: string | undefined; skipsRefused?: boolean | undefined },
): NonNullable<ImportChoices['slack']> => ({
  ...more,
  ...(token !== undefined && { token: seal.seal(token).toString('base64') }),
})

/** Forgets the token, which is of no use once an import has ended. */
export const withoutToken = sql<string>`choices #- '{slack,token}'`
