import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { readConfig } from '../config/config.ts'
import { openDatabase } from '../db/database.ts'
import { readChanges } from '../db/migrate.ts'
import { readVersion, recordVersion } from '../db/rollback-mark.ts'
import { VERSION_NAME } from '../installation.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { newFolder, run } from '../test/support/backup-commands.ts'
import { onDatabase } from '../test/support/database.ts'
import { longTest } from '../test/support/long.ts'
import { databaseAt } from '../test/support/new-database.ts'
import { SECRET } from '../test/support/parley.ts'
import { smallDisk } from '../test/support/small-disk.ts'
import { freeBytes } from './room.ts'

/** The migrations that have run before the upgrade of these tests. */
const BEFORE = '0072-version'
/** Those that it runs. */
const NEW = Object.keys(await readChanges()).filter((name) => name > BEFORE)
const LAST = NEW.at(-1) as string
const MB = 1024 ** 2

/** A database with people that version 0.2.9 used last, before the last migration. */
async function olderDatabase() {
  const url = await databaseAt(BEFORE)
  await onDatabase(url, (client) =>
    client.query(`update workspace set version = '0.2.9', "versionSchema" = '${BEFORE}';
      insert into users (id, name, email, username) values ('ada', 'Ada', 'ada@example.com', 'ada')`),
  )
  return url
}

/** Starts like a node of this version. @returns the migrations that ran */
const start = async (url: string, dataDir: string, namedAt = '', settings: NodeJS.ProcessEnv = {}) =>
  prepareDatabase(readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, ...settings }), url, SECRET, namedAt)

function captureLog() {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
  onTestFinished(() => spy.mockRestore())
  return lines
}

const readMigrations = (url: string) =>
  onDatabase(url, async (client) =>
    (await client.query('select name from migrations order by name')).rows.map(({ name }) => name),
  )

longTest('a version that was rolled back does not migrate again by itself, but when it is asked to', async () => {
  captureLog()
  const [url, dataDir] = [await olderDatabase(), await newFolder()]
  const settings = { DATABASE_URL: url, DATA_DIR: dataDir }
  const rollBack = async () => {
    const { isDone, text } = await run('rollback', settings, '--yes')
    expect(text).toMatch(/^Going back to \d{4}-.* UTC \(Parley 0\.2\.9\) undoes everything since; no message, /)
    expect(text).toContain(`install and start Parley 0.2.9. Parley ${VERSION_NAME} doesn't migrate it again unless`)
    expect(isDone).toBe(true)
    expect(await readMigrations(url)).not.toContain(LAST)
  }
  expect(await start(url, dataDir)).toEqual(NEW)
  await rollBack()
  const before = new Date(Date.now() - 60_000).toISOString()
  for (const namedAt of ['', before])
    await expect(start(url, dataDir, namedAt)).rejects.toThrow(
      `The database was rolled back from this version of Parley (${VERSION_NAME}), which would migrate it again: start Parley 0.2.9.`,
    )
  await expect(start(url, dataDir, '', { MIGRATE: 'off' })).rejects.toThrow('The database was rolled back from')
  // A rollback that is repeated undoes nothing more.
  await rollBack()
  await expect(start(url, dataDir)).rejects.toThrow('The database was rolled back from')
  expect(await readMigrations(url)).not.toContain(LAST)

  // The command `upgrade` names it again, or the command `migrate` runs.
  expect(await start(url, dataDir, new Date(Date.now() + 60_000).toISOString())).toEqual(NEW)
  await rollBack()
  expect(await run('../migrate', settings)).toEqual({
    isDone: true,
    text: expect.stringContaining('The database is up to date.'),
  })
  expect(await start(url, dataDir)).toEqual([])
  await rollBack()
  // Another version was not given up.
  await onDatabase(url, (client) =>
    client.query(
      `comment on table workspace is '{"undone":${JSON.stringify(NEW)},"version":"9.9.9","at":"2026-01-01T00:00:00.000Z"}'`,
    ),
  )
  expect(await start(url, dataDir)).toEqual(NEW)
  const comment = `select obj_description('workspace'::regclass) as comment`
  expect(await onDatabase(url, async (client) => (await client.query(comment)).rows)).toEqual([{ comment: null }])
})

longTest('without room for a snapshot the migration runs, with a warning, and leaves no partial snapshot', async () => {
  const disk = await smallDisk(64)
  if (!disk) return
  const lines = captureLog()
  const warning = (reason: RegExp) =>
    new RegExp(`No snapshot is taken before the migration, so "npm run rollback" can't undo it: ${reason.source}`)
  const fill = async (left: number) => {
    await writeFile(join(disk, 'filler'), Buffer.alloc((await freeBytes(disk)) - left))
  }
  const url = await olderDatabase()
  await fill(0.2 * MB)
  const dataDir = join(disk, 'data')
  expect(await start(url, dataDir)).toEqual(NEW)
  expect(lines.join('\n')).toMatch(warning(/it needs up to \d+ MB, but 1 MB are free in /))
  expect(await run('rollback', { DATABASE_URL: url, DATA_DIR: dataDir }, '--yes')).toEqual({
    isDone: false,
    text: `There is no snapshot in ${dataDir}/snapshots.\n`,
  })

  // It turns out during the snapshot: these rows can't be compressed to the usual third.
  const other = await olderDatabase()
  const [{ needed }] = await onDatabase(other, async (client) => {
    await client.query(`create extension if not exists pgcrypto`)
    await client.query(`insert into verifications (id, identifier, value, "expiresAt")
      select gen_random_uuid(), i::text, encode(gen_random_bytes(900), 'base64'), now() from generate_series(1, 20000) i`)
    const { rows } = await client.query(`select 0.6 * sum(pg_table_size(oid)) as needed from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r'`)
    return rows
  })
  await writeFile(join(disk, 'filler'), '')
  await fill(Number(needed) + 0.5 * MB)
  expect(await start(other, dataDir)).toEqual(NEW)
  expect(lines.join('\n')).toMatch(warning(/.*snapshots is full: make room there\./))
  expect(await readdir(join(dataDir, 'snapshots'), { recursive: true })).toEqual(['backups'])
})

longTest('an upgrade that was interrupted keeps the snapshot from before it', async () => {
  const lines = captureLog()
  const [url, dataDir] = [await olderDatabase(), await newFolder()]
  const snapshots = () => readdir(join(dataDir, 'snapshots/backups'))
  await start(url, dataDir)
  const [before] = await snapshots()
  // As if Parley had been killed after the first migration: a database in which only that one has run, of the same workspace.
  const [{ epoch }] = await onDatabase(url, async (client) => (await client.query('select epoch from workspace')).rows)
  const interrupted = await databaseAt(NEW[0] as string)
  await onDatabase(interrupted, (client) =>
    client.query(`update workspace set version = '0.2.9', "versionSchema" = '${BEFORE}', epoch = '${epoch}';
      insert into users (id, name, email, username) values ('ada', 'Ada', 'ada@example.com', 'ada')`),
  )
  expect(await start(interrupted, dataDir)).toEqual(NEW.slice(1))
  expect(lines.join('\n')).toContain(
    `The upgrade goes on. The snapshot from before it is ${dataDir}/snapshots/backups/`,
  )
  expect(await snapshots()).toEqual([before])
})

longTest('an older version that starts on a newer schema leaves its name out', async () => {
  captureLog()
  const [url, dataDir] = [await olderDatabase(), await newFolder()]
  await start(url, dataDir)
  const { db } = openDatabase(url, { onError: () => {}, max: 1 })
  const recorded = { version: VERSION_NAME, schema: LAST }
  expect(await readVersion(db)).toEqual(recorded)
  await db.updateTable('workspace').set({ version: '0.9.0' }).execute()
  await recordVersion(db, [BEFORE, LAST, '0099-newer'], [BEFORE, LAST])
  expect(await readVersion(db)).toEqual({ ...recorded, version: '0.9.0' })
  await recordVersion(db, [BEFORE, LAST], [BEFORE, LAST])
  expect(await readVersion(db)).toEqual(recorded)
  await db.destroy()
})

longTest("a rollback refuses another workspace's snapshot, and names snapshots in its errors", async () => {
  captureLog()
  const [url, other, dataDir] = [await olderDatabase(), await olderDatabase(), await newFolder()]
  await start(url, dataDir)
  const rollBack = (...args: string[]) => run('rollback', { DATABASE_URL: other, DATA_DIR: dataDir }, '--yes', ...args)
  expect(await rollBack()).toEqual({
    isDone: false,
    text: expect.stringMatching(
      /^The snapshot \S+ is of another workspace than this database\. Nothing was changed\.\n$/,
    ),
  })
  expect(await rollBack('2020')).toEqual({
    isDone: false,
    text: expect.stringMatching(/^There is no snapshot "2020"\. The newest ones are /),
  })
})
