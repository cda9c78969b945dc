// Imports an archive from another product, or shows what it would import. docs/running/import.md
import { createReadStream, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import type { ImportPlan } from '#contract/imports'
import { writeAudit } from '../server/audit/write-audit.ts'
import { readFilesId } from '../server/channels/workspace.ts'
import { createSeal } from '../server/config/seal.ts'
import { loadSecrets } from '../server/config/secrets.ts'
import { StartError } from '../server/config/start-error.ts'
import { openDatabase } from '../server/db/database.ts'
import { newId } from '../server/db/ids.ts'
import { requireMigrated } from '../server/db/migrate.ts'
import { sentenceOf } from '../server/errors.ts'
import { openStorage } from '../server/files/open-storage.ts'
import { beginImport, withSealed } from '../server/imports/begin-import.ts'
import { claimImport, removeArchive, workOn } from '../server/imports/import-jobs.ts'
import { forgotten } from '../server/imports/import-rows.ts'
import { importKeyOf } from '../server/imports/stored-archive.ts'
import { commandLine, ROOT } from '../server/installation.ts'
import { boundsFor } from '../server/limits/bounds.ts'
import { openPostgres } from './open-postgres.ts'
import { runCommand } from './run-command.ts'

const PROGRESS_INTERVAL_MS = 1000

const FLAGS = { 'dry-run': { type: 'boolean' }, 'fetch-files': { type: 'boolean' } } as const

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
    const [id, archiveId] = [newId(), newId()]
    await storage.write(importKeyOf(archiveId), createReadStream(file))
    await db
      .insertInto('imports')
      .values({ id, userId: ownerId, fileName: basename(file), size: found.size, archiveId })
      .execute()
      .catch(async (error) => {
        await storage.remove([importKeyOf(archiveId)])
        if (error.constraint === 'imports_oneOpen')
          throw new StartError('Another import is open. Keep or undo it first.')
        throw error
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
    if (read.state === 'ready') describe(read.plan as unknown as ImportPlan)
    if (read.state !== 'ready' || values['dry-run']) {
      await db
        .updateTable('imports')
        .set({ state: 'cancelled', ...forgotten, finishedAt: sql<string>`clock_timestamp()` })
        .where('id', '=', id)
        .where('state', '=', read.state)
        .execute()
      await removeArchive(db, storage, id)
      if (read.state !== 'ready') throw new StartError(why(read.problem))
      return
    }
    const token = process.env['SLACK_TOKEN'] || undefined
    const choices = values['fetch-files'] ? { slack: withSealed(tokenSeal, { token }) } : {}
    const isBegun = await db.transaction().execute((tx) => beginImport(tx, id, choices))
    if (!isBegun) throw new StartError('Somebody has started or cancelled this import on the page.')
    await writeAudit(db, { kind: 'import_started', actorId: null, details: { format: read.format } })
    const { state, messages, plan, problem } = await untilNot('running')
    if (state !== 'done')
      throw new StartError(`${why(problem)} Go on, or remove what was imported, under Administration › Import.`)
    const { notFetched } = plan as unknown as ImportPlan
    if (notFetched) console.log(`\nNot fetched: ${notFetched.count}: ${printable(notFetched.names.join('; '))}`)
    console.log(`\nImported ${messages} messages. Keep or undo the import under Administration › Import.`)
  } finally {
    await db.destroy()
    await stop()
  }
})

/** Names of an archive must not control the terminal. */
const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')

function describe(plan: ImportPlan) {
  const { channels, firstAt, lastAt } = plan
  const linked = plan.linked?.files
    ? `; at Slack: ${plan.linked.files}, ${plan.linked.bytes} bytes, which --fetch-files fetches`
    : ''
  console.log(`
People: ${plan.people} (${plan.matched} have an account here), programs: ${plan.bots}
Channels: ${channels.public} public, ${channels.private} private, ${plan.archived} of them archived; direct messages: ${channels.direct}
Messages: ${plan.messages}, ${plan.replies} of them replies, ${plan.pins} pinned; reactions: ${plan.reactions}
Custom emoji: ${plan.emoji}
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
