import { sql } from 'kysely'
import { readFilesId } from '../../server/channels/workspace.ts'
import type { Config } from '../../server/config/config.ts'
import {
  connectionProblem,
  connectionShortage,
  isReplica,
  requireCertificates,
  requirePrimary,
} from '../../server/db/connection-problem.ts'
import { type Db, openDatabase } from '../../server/db/database.ts'
import { readLiveNodes } from '../../server/db/live-nodes.ts'
import { checkFloor, readChanges, readExecuted, readPending } from '../../server/db/migrate.ts'
import { requireWanted } from '../../server/db/rollback-mark.ts'
import { openStorage } from '../../server/files/open-storage.ts'
import { findForeignStore } from '../../server/files/store-check.ts'
import { checkSecret, isNewWorkspace } from '../../server/identity/secret-check.ts'
import { ownerCodeOf, readEntry } from '../../server/identity/workspace-entry.ts'
import type { Clocks } from './check-clock.ts'
import { type Finding, none, ok, problem } from './finding.ts'

const OLDEST_POSTGRES = 15
const ROUND_TRIPS = 20
/** A request makes a few, one after the other. */
const SLOW_ROUND_TRIP_MS = 10

interface Options {
  config: Config
  url: string
  secret: string | undefined
  clocks: Clocks
}

/** The database: whether it can be used, for this version and with this secret, and how far away it is. */
export async function checkDatabase({ config, url, secret, clocks }: Options): Promise<Finding[]> {
  const connections = config.databaseConnections.total
  try {
    requireCertificates(url)
    return await withDatabase(url, async (db) => {
      await requirePrimary(db)
      const findings = [
        await checkVersion(db),
        await checkTables(db),
        ...(await checkOwnership(db, config, secret)),
        ...(await checkOwner(db, config, secret)),
      ]
      const shortage = await connectionShortage(db, connections, config.processes)
      findings.push(
        shortage ? problem(shortage) : ok(`It allows the ${connections * config.processes} connections of this node.`),
      )
      findings.push(await checkDistance(db, config, clocks))
      const nodes = await readLiveNodes(db)
      if (nodes.length > 1) findings.push(ok(`${nodes.length} nodes use it.`))
      return findings
    })
  } catch (error) {
    const known = connectionProblem(error, connections)?.message ?? hangs(error)
    if (!known) throw error
    return [problem(known)]
  }
}

/** Says how somebody becomes the owner of a new workspace. */
async function checkOwner(db: Db, config: Config, secret: string | undefined): Promise<Finding[]> {
  // Its tables may be of another version, or not there yet.
  const entry = await readEntry(db, config).catch(() => undefined)
  if (!entry || entry.isFounded || !secret) return []
  const address = config.publicUrl ?? 'the address of this server'
  return [
    none(
      `Nobody owns the workspace yet. Open ${address} with /sign-up#${ownerCodeOf(entry, secret)} to become its owner.`,
    ),
  ]
}

/** The replica for searches. */
export async function checkReplica(url: string): Promise<Finding[]> {
  try {
    return await withDatabase(url, async (db) =>
      (await isReplica(db))
        ? [ok('The replica for searches can be reached.')]
        : [problem('DATABASE_READ_URL is the address of a primary, not of a read replica.')],
    )
  } catch (error) {
    const known = connectionProblem(error, 0)?.message ?? hangs(error)
    if (!known) throw error
    return [problem(known.replace('DATABASE_URL', 'DATABASE_READ_URL'))]
  }
}

const hangs = (error: unknown) =>
  /timeout/i.test((error as Error).message)
    ? 'The database does not answer in time: check DATABASE_URL, and whether the database hangs.'
    : undefined

async function withDatabase<T>(url: string, act: (db: Db) => Promise<T>): Promise<T> {
  const { db } = openDatabase(url, { onError: () => {}, max: 1, timeoutMs: 8_000 })
  try {
    return await act(db)
  } finally {
    await db.destroy()
  }
}

async function checkVersion(db: Db): Promise<Finding> {
  const { rows } = await sql<{ version: string; number: number; encoding: string }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding`.execute(db)
  const { version = '', number = 0, encoding } = rows[0] ?? {}
  if (Math.floor(number / 10_000) < OLDEST_POSTGRES)
    return problem(`It is PostgreSQL ${version}, but Parley needs ${OLDEST_POSTGRES} or newer. Upgrade it.`)
  if (encoding !== 'UTF8')
    return problem(
      `Its encoding is ${encoding}, which can't store every text. Create a database with ENCODING 'UTF8', and move the data.`,
    )
  return ok(`PostgreSQL ${version}. Parley needs no extensions.`)
}

/** Whether this version can use, or make, its tables. */
async function checkTables(db: Db): Promise<Finding> {
  const changes = await readChanges()
  const executed = await readExecuted(db)
  await checkFloor(db, changes, executed)
  const { rows } = await sql<{ mayCreate: boolean; mayWrite: boolean | null }>`
    select coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as "mayCreate",
      has_table_privilege(to_regclass('messages'), 'INSERT, UPDATE, DELETE') as "mayWrite"`.execute(db)
  const { mayCreate = false, mayWrite = null } = rows[0] ?? {}
  if (mayWrite === false)
    return problem('The account may not write to the tables of Parley. Use the one that made them, or grant it.')
  const pending = await readPending(db, changes)
  const { length } = pending
  if (length === 0) {
    const isNewer = executed.some((name) => !(name in changes))
    return ok(
      isNewer
        ? 'Its tables are those of a newer version, which this one can use.'
        : 'Its tables are those of this version.',
    )
  }
  await requireWanted(db, pending)
  if (!mayCreate)
    return problem(
      `${migrations(length)} due, but the account may not create tables. Run the command migrate with one that may, or grant CREATE on the schema.`,
    )
  return ok(`${migrations(length)} due; the next start runs them.`)
}

const migrations = (count: number) => `${count} migration${count === 1 ? ' is' : 's are'}`

/** Whether the secret and the files are those of the workspace. */
async function checkOwnership(db: Db, config: Config, secret: string | undefined): Promise<Finding[]> {
  if (await isNewWorkspace(db)) return [none('It has no workspace yet: the first start makes one.')]
  if (!secret)
    return [
      problem(
        `It has a workspace, but ${config.dataDir} has no secrets.json. Put the saved one back, or set SECRET to the one that its nodes use.`,
      ),
    ]
  await checkSecret(db, secret, config)
  const storage = await openStorage(config, await readFilesId(db))
  // An unreachable store is a finding about the files.
  const foreign = await findForeignStore({ db, storage, config }).catch(() => undefined)
  return [ok('The secret is that of the workspace.'), ...(foreign ? [problem(foreign)] : [])]
}

async function checkDistance(db: Db, { databaseUrl }: Config, clocks: Clocks): Promise<Finding> {
  const times: number[] = []
  for (let n = 0; n < ROUND_TRIPS; n++) {
    const began = performance.now()
    const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
    times.push(performance.now() - began)
    if (databaseUrl) clocks.note('the database', Date.parse(rows[0]?.now ?? ''))
  }
  const median = times.sort((a, b) => a - b)[ROUND_TRIPS / 2] as number
  const text = `A round trip takes ${median.toFixed(1)} ms`
  if (median > SLOW_ROUND_TRIP_MS)
    return problem(`${text}, and each request makes several. Run Parley close to its database.`)
  return ok(`${text}.`)
}
