import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { type Migration, type MigrationResult, Migrator } from 'kysely/migration'
import { StartError } from '../config/start-error.ts'
import { commandLine, PROGRAM_EXTENSION, ROOT } from '../installation.ts'
import { connectionProblem } from './connection-problem.ts'
import { type Db, noneIfMissing } from './database.ts'
import { requireWanted } from './rollback-mark.ts'

/** A schema change. docs/decisions/0022-upgrades.md has the rules. */
interface SchemaChange extends Migration {
  /**
   * The oldest migration that a program must know to run on the changed schema. Set only if a migration removes or changes
   * something that older programs use.
   */
  floor?: string
}

/** By name, in order. */
export type SchemaChanges = Record<string, SchemaChange>

interface Options {
  changes?: SchemaChanges
  /** Longest wait for a lock: everything else that uses the table queues behind the migration. */
  lockTimeoutMs?: number
  maxAttempts?: number
  /** Pause between attempts, to let waiting queries run. */
  retryDelayMs?: number
  log?: (line: string) => void
}

const FOLDER = join(ROOT, 'server/db/migrations')

const LOCK_TIMEOUT_MS = 2_000
const MAX_ATTEMPTS = 10
const RETRY_DELAY_MS = 1_000
/** Lock timeout, and deadlock. */
const BLOCKED_CODES = /^(55P03|40P01)$/

/**
 * Runs the pending migrations, on one node at a time; others wait. Leaves a database alone that a newer version has migrated.
 * @returns the names of the migrations that this node ran; none for a new database
 * @throws StartError if this version cannot run on it, or a table stays locked
 */
export async function migrate(db: Db, options: Options = {}): Promise<string[]> {
  const changes = options.changes ?? (await readChanges())
  const executed = await readExecuted(db)
  await checkFloor(db, changes, executed)
  if (pendingOf(changes, executed).length === 0) return []
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => executable(db, changes, options) },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  })
  // A new database is not in use. Otherwise each migration commits and releases its locks before the next one starts.
  const isNew = executed.length === 0
  const done: string[] = []
  let results: MigrationResult[] | undefined
  do {
    const result = await retryWhileLocked(db, options, () =>
      isNew ? migrator.migrateToLatest() : migrator.migrateUp(),
    )
    results = result.results
    done.push(...(results ?? []).map(({ migrationName }) => migrationName))
  } while (!isNew && results?.length)
  // A newer node may have migrated in the meantime.
  await checkFloor(db, changes, await readExecuted(db))
  return isNew ? [] : done
}

/** For nodes that must not migrate. @throws StartError if a migration is due, or this version is too old */
export async function requireMigrated(db: Db) {
  const changes = await readChanges()
  const executed = await readExecuted(db)
  await checkFloor(db, changes, executed)
  const pending = pendingOf(changes, executed)
  if (pending.length === 0) return
  await requireWanted(db, pending)
  throw new StartError(
    `The database must be migrated first: start Parley with MIGRATE on, or run "${commandLine('migrate')}" with an account that may change its tables.`,
  )
}

/** Takes the lock shared by all migrations, until the transaction ends. */
export const lockMigrations = (db: Db) => sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(db)

/** Runs some migrations in the caller's transaction, on an empty database or one that they continue. */
export async function runChanges(db: Db, changes: SchemaChanges, names: string[]) {
  // The tables as the library creates them.
  await sql`
    create table if not exists migrations (name varchar(255) not null primary key, timestamp varchar(255) not null);
    create table if not exists migrations_lock (id varchar(255) not null primary key, is_locked integer not null default 0);
    insert into migrations_lock (id) values ('migration_lock') on conflict do nothing`.execute(db)
  for (const name of names) {
    const change = changes[name] as SchemaChange
    await change.up(db)
    if (change.floor) await sql`update workspace set "schemaFloor" = ${change.floor}`.execute(db)
    await sql`insert into migrations (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(db)
  }
}

/** The migrations that this database lacks, in order. */
export const readPending = async (db: Db, changes: SchemaChanges) => pendingOf(changes, await readExecuted(db))

/** Reads the migrations of this version. */
export async function readChanges(): Promise<SchemaChanges> {
  const files = (await readdir(FOLDER)).filter((file) => extname(file) === PROGRAM_EXTENSION).sort()
  const changes = await Promise.all(
    files.map(async (file): Promise<[string, SchemaChange]> => {
      const { href } = pathToFileURL(join(FOLDER, file))
      return [basename(file, PROGRAM_EXTENSION), await import(href)]
    }),
  )
  return Object.fromEntries(changes)
}

/** The names of the migrations that have been run. */
export async function readExecuted(db: Db): Promise<string[]> {
  const names = sql<{ name: string }>`select name from migrations order by name`
  return (await noneIfMissing(names.execute(db)))?.rows.map(({ name }) => name) ?? []
}

const pendingOf = (changes: SchemaChanges, executed: string[]) =>
  Object.keys(changes).filter((name) => !executed.includes(name))

/** @throws StartError if this version cannot run on a schema that a newer one has changed */
export async function checkFloor(db: Db, changes: SchemaChanges, executed: string[]) {
  if (executed.every((name) => name in changes)) return
  const row = await noneIfMissing(db.selectFrom('workspace').select('schemaFloor').executeTakeFirst())
  if (row && row.schemaFloor in changes) return
  throw new StartError(
    `This version of Parley is too old for its database, which a newer version has changed (${executed.at(-1)}): start the newer version.`,
  )
}

/** The migrations as the library expects them, including those of a newer version, which it would otherwise report as missing. */
async function executable(db: Db, changes: SchemaChanges, { lockTimeoutMs = LOCK_TIMEOUT_MS }: Options) {
  const newer = (await readExecuted(db)).filter((name) => !(name in changes))
  const own = Object.entries(changes).map(([name, { up, floor }]): [string, Migration] => [
    name,
    {
      up: async (tx) => {
        await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx)
        await up(tx)
        if (floor) await sql`update workspace set "schemaFloor" = ${floor}`.execute(tx)
      },
    },
  ])
  return Object.fromEntries([...own, ...newer.map((name) => [name, { up: async () => {} }] as const)])
}

interface Attempt {
  error?: unknown
  results?: MigrationResult[]
}

/** Runs migrations; if they can't get a lock, they are rolled back and retried. */
async function retryWhileLocked(db: Db, options: Options, run: () => Promise<Attempt>): Promise<Attempt> {
  const { maxAttempts = MAX_ATTEMPTS, retryDelayMs = RETRY_DELAY_MS, log } = options
  for (let attempt = 1; ; attempt++) {
    const result = await run()
    if (!result.error) return result
    if (!BLOCKED_CODES.test((result.error as { code?: string }).code ?? '')) throw asSentence(result)
    const others = await describeOthers(db)
    if (attempt === maxAttempts)
      throw new StartError(
        `The database could not be migrated, because another program holds a lock on it${others}. Start Parley again when it has ended.`,
      )
    log?.(`The database is not migrated yet, because another program holds a lock on it${others}. Trying again …`)
    await sleep(retryDelayMs)
  }
}

function asSentence({ error, results }: Attempt): unknown {
  const failed = results?.find(({ status }) => status === 'Error')
  if (!failed || error instanceof StartError || connectionProblem(error, 0)) return error
  return new StartError(
    `The migration ${failed.migrationName} failed, and nothing of it remains: ${(error as Error).message}. To give up this version, go back to the snapshot from before it by "${commandLine('rollback')}".`,
  )
}

/** The oldest open transaction is the likeliest blocker. */
async function describeOthers(db: Db): Promise<string> {
  const { rows } = await sql<{ pid: number; name: string; seconds: number }>`
    select pid, coalesce(nullif(application_name, ''), usename) as name,
      extract(epoch from clock_timestamp() - xact_start)::int as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`.execute(db)
  const [oldest] = rows
  return oldest ? `: process ${oldest.pid} (${oldest.name}), for ${oldest.seconds} s` : ''
}
