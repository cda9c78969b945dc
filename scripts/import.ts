// Imports an archive from another product, or shows what it would import. docs/running/import.md
import { createReadStream, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import type { ImportPlan } from '#contract/imports'
import { limits } from '#contract/limits'
import { writeAudit } from '../server/audit/write-audit.ts'
import { readFilesId } from '../server/channels/workspace.ts'
import { createSeal } from '../server/config/seal.ts'
import { loadSecrets } from '../server/config/secrets.ts'
import { StartError } from '../server/config/start-error.ts'
import { type Db, openDatabase } from '../server/db/database.ts'
import { newId } from '../server/db/ids.ts'
import { requireMigrated } from '../server/db/migrate.ts'
import { sentenceOf } from '../server/errors.ts'
import { openStorage } from '../server/files/open-storage.ts'
import type { Storage } from '../server/files/storage.ts'
import { beginImport, withSealed } from '../server/imports/begin-import.ts'
import { claimImport, removeArchive, workOn } from '../server/imports/import-jobs.ts'
import { forgotten } from '../server/imports/import-rows.ts'
import { importKeyOf } from '../server/imports/stored-archive.ts'
import { commandLine, ROOT } from '../server/installation.ts'
import { boundsFor } from '../server/limits/bounds.ts'
import { openPostgres } from './open-postgres.ts'
import { runCommand } from './run-command.ts'

const PROGRESS_INTERVAL_MS = 1000
const MOVED_ON = 'Somebody has started or cancelled this import on the page.'

const FLAGS = {
  'dry-run': { type: 'boolean' },
  'fetch-files': { type: 'boolean' },
  'topics-as-channels': { type: 'boolean' },
} as const

await runCommand(FLAGS, async (config, values, file) => {
  if (!file)
    throw new StartError(
      `Say which archive: ${commandLine('import', 'FILE')}. With --dry-run it is only read, and nothing changes.`,
    )
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new StartError(`${file} is no file.`)
  const { url, stop } = await openPostgres(config)
  const { db } = openDatabase(url, { onError: console.error })
  try {
    const { rows } = await sql<{ table: string | null }>`select to_regclass('workspace') as "table"`.execute(db)
    if (!rows[0]?.table) throw new StartError('There is no workspace yet: start Parley and sign up first.')
    await requireMigrated(db)
    const { ownerId } = await db.selectFrom('workspace').select('ownerId').executeTakeFirstOrThrow()
    if (ownerId === null) throw new StartError('Sign up first: an import belongs to the owner of the workspace.')
    const storage = await openStorage(config, await readFilesId(db))
    const log = { ...console, fatal: console.error, info: () => {}, level: 'warn', silent: () => {} } as never
    const tokenSeal = createSeal((await loadSecrets(config)).identity, 'tokens')
    const bounds = boundsFor(config.databaseConnections)
    const services = { bounds, config, db, log, storage, tokenSeal, pollSoon: () => {} }
    const id = await store(services, {
      file,
      size: found.size,
      ownerId,
      asChannels: values['topics-as-channels'] === true,
    })

    /** Works until the state changes; a running node may do it instead. */
    const untilNot = async (state: string) => {
      for (;;) {
        const job = await claimImport(db)
        if (job) await workOn(services, job, new AbortController().signal)
        const row = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
        if (row.state !== state) return row
        if (process.stdout.isTTY) process.stdout.write(`\r${row.messages} of ${row.total} messages`)
        await new Promise((resolve) => setTimeout(resolve, PROGRESS_INTERVAL_MS))
      }
    }
    const read = await untilNot('reading')
    const plan = read.state === 'ready' ? (read.plan as unknown as ImportPlan) : undefined
    if (plan) describe(plan)
    else if (read.state !== 'failed') throw new StartError(MOVED_ON)
    const refusal = plan && values['topics-as-channels'] ? topicsRefusal(plan) : undefined
    if (!plan || refusal || values['dry-run']) {
      await discard(db, id, read.state)
      await removeArchive(db, storage, id)
      if (!plan) throw new StartError(why(read.problem))
      if (refusal) throw new StartError(refusal)
      return
    }
    const token = process.env['SLACK_TOKEN'] || undefined
    const choices = values['fetch-files'] ? { slack: withSealed(tokenSeal, { token }) } : {}
    const isBegun = await db.transaction().execute((tx) => beginImport(tx, id, choices))
    if (!isBegun) throw new StartError(MOVED_ON)
    await writeAudit(db, { kind: 'import_started', actorId: null, details: { format: read.format } })
    const { state, messages, plan: done, problem } = await untilNot('running')
    if (state !== 'done')
      throw new StartError(`${why(problem)} Go on, or remove what was imported, under Administration › Import.`)
    const { notFetched } = done as unknown as ImportPlan
    if (notFetched) console.log(`\nNot fetched: ${notFetched.count}: ${printable(notFetched.names.join('; '))}`)
    console.log(`\nImported ${messages} messages. Keep or undo the import under Administration › Import.`)
  } finally {
    await db.destroy()
    await stop()
  }
})

interface Archive {
  file: string
  size: number
  ownerId: string
  /** Whether topics are to become channels. */
  asChannels: boolean
}

/** Stores an archive, to be read next. Returns the import's id. */
async function store({ db, storage }: { db: Db; storage: Storage }, { file, size, ownerId, asChannels }: Archive) {
  const [id, archiveId] = [newId(), newId()]
  await storage.write(importKeyOf(archiveId), createReadStream(file))
  const choices = JSON.stringify(asChannels ? { topics: 'channels' } : {})
  await db
    .insertInto('imports')
    .values({ id, userId: ownerId, fileName: basename(file), size, archiveId, choices })
    .execute()
    .catch(async (error) => {
      await storage.remove([importKeyOf(archiveId)])
      if (error.constraint === 'imports_oneOpen') throw new StartError('Another import is open. Keep or undo it first.')
      throw error
    })
  return id
}

async function discard(db: Db, id: string, state: string) {
  await db
    .updateTable('imports')
    .set({ state: 'cancelled', ...forgotten, finishedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', state)
    .execute()
}

/** Why topics can't become channels. */
function topicsRefusal({ topics }: ImportPlan) {
  if (!topics) return 'This archive has no topics. Leave out --topics-as-channels.'
  if (topics.count > limits.imports.topics)
    return `It has ${topics.count} topics, and at most ${limits.imports.topics} can become channels. Leave out --topics-as-channels.`
  return undefined
}

/** Names of an archive must not control the terminal. */
function printable(text: string) {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')
}

function describe(plan: ImportPlan) {
  const { channels, firstAt, lastAt } = plan
  const linked = plan.linked?.files
    ? `; at Slack: ${plan.linked.files}, ${plan.linked.bytes} bytes, which --fetch-files fetches`
    : ''
  console.log(`
People: ${plan.people} (${plan.matched} have an account here), programs: ${plan.bots}
Channels: ${channels.public} public, ${channels.private} private, ${plan.archived} of them archived; direct messages: ${channels.direct}
Messages: ${plan.messages}, ${plan.replies} of them replies, ${plan.pins} pinned; reactions: ${plan.reactions}
Custom emoji: ${plan.emoji}${plan.topics ? `; topics: ${plan.topics.count}, which become ${plan.topics.as}` : ''}
Files: ${plan.files}, ${plan.fileBytes} bytes${linked}
From ${firstAt?.slice(0, 10) ?? 'never'} to ${lastAt?.slice(0, 10) ?? 'never'}`)
  for (const { name, newName, isKnown } of plan.channelList)
    if (isKnown) console.log(`#${name} was imported before and stays as it is`)
    else if (name !== newName) console.log(`#${name} will be #${newName}`)
  for (const { omission, count, examples } of plan.omitted)
    console.log(`Not imported: ${omission}, ${count} times, such as ${printable(examples.join('; '))}`)
}

function why(problem: unknown) {
  const { reason, values } = (problem ?? { reason: 'importStopped' }) as { reason: string; values?: { entry?: string } }
  if (!reason.startsWith('import.')) return sentenceOf({ reason })
  const texts = JSON.parse(readFileSync(join(ROOT, 'languages/en.json'), 'utf8'))
  const text = texts[`imports.problem.${reason.slice('import.'.length)}`]
  return values?.entry ? `${text} (${values.entry})` : text
}
