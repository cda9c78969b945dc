import { sql } from 'kysely'
import { foldEmojiName } from '#contract/emoji'
import type { ImportPlan } from '#contract/imports'
import { writeAudit } from '../audit/write-audit.ts'
import type { Db } from '../db/database.ts'
import { createOutbound } from '../outbound/outbound.ts'
import type { Services } from '../services.ts'
import { withoutToken } from './begin-import.ts'
import { EmojiNames } from './emoji-names.ts'
import { forgotten, holdImport, type ImportJob, ownRow } from './import-rows.ts'
import { loadImport } from './load-import.ts'
import { createOmissionCounts } from './omission-counts.ts'
import { openImport } from './open-import.ts'
import { planImport } from './plan-import.ts'
import { createSlackClient } from './slack/slack-client.ts'
import { SlackFiles } from './slack/slack-files.ts'
import { importKeyOf, withArchiveFile } from './stored-archive.ts'
import { undoImport } from './undo-import.ts'

export type ImportServices = Pick<Services, 'bounds' | 'config' | 'db' | 'log' | 'storage' | 'tokenSeal'> & {
  pollSoon: () => void
}

interface Work extends ImportJob {
  fileName: string
}

/** Performs the pending step of an import: reads its archive, imports it, or undoes it. */
export async function runImport(services: ImportServices, job: Work, signal: AbortSignal) {
  if (job.state === 'reading') return readArchive(services, job, signal)
  if (job.state === 'running') return load(services, job, signal)
  return undo(services, job, signal)
}

async function readArchive(services: ImportServices, job: Work, signal: AbortSignal) {
  const { config, db } = services
  await withOpened(services, job, async ({ reader, archive }) => {
    const omitted = createOmissionCounts()
    const { topics } = job.choices
    const plan = await planImport({
      db,
      source: reader.format,
      records: reader.read(archive, omitted, job.choices),
      topics: topics ?? 'threads',
      omitted,
      config,
      bounds: services.bounds,
      async onProgress(messages) {
        signal.throwIfAborted()
        await ownRow(db, job).set({ messages, touchedAt: sql<string>`clock_timestamp()` }).execute()
      },
    })
    signal.throwIfAborted()
    await ownRow(db, job)
      .set({
        state: 'ready',
        format: reader.format,
        plan: JSON.stringify(plan),
        total: plan.messages,
        messages: 0,
        touchedAt: null,
      })
      .execute()
  })
}

async function load(services: ImportServices, job: Work, signal: AbortSignal) {
  const { db, pollSoon } = services
  await withOpened(services, job, async ({ reader, archive }) => {
    // Omitted content was already counted for the plan.
    const report = createOmissionCounts()
    const source = reader.format
    const records = reader.read(archive, report, job.choices)
    const slack = slackFilesOf(services, job, signal)
    await loadImport({ services, job, source, records, report, slack, signal })
    if (slack?.hasEmoji) await noteEmoji(db, job)
  })
  await db.transaction().execute(async (tx) => {
    await holdImport(tx, job)
    const { messages } = await ownRow(tx, job)
      .set({ state: 'done', choices: withoutToken, finishedAt: sql<string>`clock_timestamp()`, touchedAt: null })
      .returning('messages')
      .executeTakeFirstOrThrow()
    await writeAudit(tx, { kind: 'import_finished', actorId: job.userId, details: { format: job.format, messages } })
  })
  pollSoon()
}

/** Corrects the plan once emoji that the archive only names were fetched. */
async function noteEmoji(db: Db, job: Work) {
  const names = await EmojiNames.read(db)
  const { emoji } = await db
    .selectFrom('emoji')
    .select(({ fn }) => fn.countAll<number>().as('emoji'))
    .where('importId', '=', job.id)
    .executeTakeFirstOrThrow()
  const row = await db.selectFrom('imports').select('plan').where('id', '=', job.id).executeTakeFirstOrThrow()
  const plan = row.plan as unknown as ImportPlan
  const omitted = plan.omitted.flatMap((entry) => {
    if (entry.omission !== 'customEmoji') return [entry]
    const examples = entry.examples.filter((name) => !names.has(foldEmojiName(name.slice(1, -1))))
    return examples.length > 0 ? [{ ...entry, examples }] : []
  })
  await ownRow(db, job)
    .set({ plan: JSON.stringify({ ...plan, emoji, omitted }) })
    .execute()
}

/** Undefined unless the owner wants files to be fetched. */
function slackFilesOf({ config, tokenSeal }: ImportServices, { choices, format, plan }: Work, signal: AbortSignal) {
  if (format !== 'slack' || !choices.slack) return undefined
  const { token, skipsRefused = false } = choices.slack
  const outbound = createOutbound({ allowed: config.outboundAllow, purpose: 'import' })
  const opened = token === undefined ? undefined : tokenSeal.open(Buffer.from(token, 'base64'))
  const client = createSlackClient({ outbound, slackUrl: config.slackUrl, token: opened })
  const hasFetched = (plan?.linked?.fetched ?? 0) > 0
  return new SlackFiles({ client, skipsRefused, hasFetched, signal })
}

async function undo(services: ImportServices, job: Work, signal: AbortSignal) {
  const { db, storage } = services
  await undoImport(services, job, signal)
  if (job.archiveId) await storage.remove([importKeyOf(job.archiveId)])
  await db.transaction().execute(async (tx) => {
    await ownRow(tx, job)
      .set({
        state: 'undone',
        ...forgotten,
        archiveId: null,
        finishedAt: sql<string>`clock_timestamp()`,
        touchedAt: null,
      })
      .executeTakeFirstOrThrow()
    await writeAudit(tx, { kind: 'import_undone', actorId: job.userId, details: { format: job.format } })
  })
}

const withOpened = (
  services: ImportServices,
  job: Work,
  use: (opened: Awaited<ReturnType<typeof openImport>>) => Promise<void>,
) =>
  withArchiveFile(services, job, async (path) => {
    const opened = await openImport(path, job.fileName)
    await use(opened).finally(() => opened.archive.close())
  })
