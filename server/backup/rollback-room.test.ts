import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, run } from '../test/support/backup-commands.ts'
import { onDatabase } from '../test/support/database.ts'
import { longTest } from '../test/support/long.ts'
import { startParley } from '../test/support/parley.ts'
import { readSchema } from '../test/support/schema-breaks.ts'
import { makeBackup } from './make-backup.ts'
import { listBackups, readManifest, writeManifest } from './manifest.ts'
import { openFolder } from './place.ts'

const parley = await startParley()
await parley.people('ada')
const PETABYTE = 1024 ** 5

/** Backs up a workspace into a folder. */
async function backUp(folder: string, { app, databaseUrl } = parley) {
  await mkdir(folder, { recursive: true })
  const place = openFolder(folder)
  const manifest = await makeBackup({ databaseUrl, db: app.db, storage: app.storage, place, keep: 14 })
  return { place, manifest }
}

test('a rollback or restore without enough disk space fails before it changes anything', async () => {
  const dataDir = await newFolder()
  const folder = join(dataDir, 'snapshots')
  const { place, manifest } = await backUp(folder)
  // As if its database were too large for any disk here.
  const [table, ...others] = manifest.tables as [(typeof manifest.tables)[0], ...typeof manifest.tables]
  await writeManifest(place, { ...manifest, tables: [{ ...table, size: PETABYTE }, ...others] })
  const before = await readdir(dataDir)
  const settings = { DATABASE_URL: '', DATA_DIR: dataDir, BACKUP_TO: folder }
  for (const [command, ...args] of [
    ['rollback', '--yes'],
    ['restore', '--replace', '--yes'],
  ] as const)
    expect(await run(command, settings, ...args)).toEqual({
      isDone: false,
      text: expect.stringMatching(
        /needs about \d+ MB beside the present one, but \d+ MB are free .*The database was not changed/,
      ),
    })
  // Not even a new database was created.
  expect(await readdir(dataDir)).toEqual(before)
})

longTest('if the disk fills up during a rollback, the database is unchanged and the command says why', async () => {
  const other = await startParley()
  const { ada } = await other.people('ada')
  const { databaseUrl: url } = other
  const dataDir = await newFolder()
  const { place, manifest } = await backUp(join(dataDir, 'snapshots'), other)
  await other.app.close()
  const settings = { DATABASE_URL: url, DATA_DIR: dataDir }
  expect(await run('rollback', settings, '--yes')).toMatchObject({ isDone: true })
  const [before, rows] = await onDatabase(url, async (client) => {
    const people = await client.query('select id, username from users order by id')
    // PostgreSQL's error when a table cannot be extended, here when the first index is created.
    await client.query(`create schema disk;
      create function disk.fill() returns event_trigger language plpgsql as $$ begin
        raise exception 'could not extend file "base/1/2": No space left on device' using errcode = 'disk_full';
      end $$;
      create event trigger disk_fills on ddl_command_start when tag in ('CREATE INDEX') execute function disk.fill()`)
    return [await readSchema(client), people.rows] as const
  })
  expect(rows.map(({ id }) => id)).toContain(ada.id)
  expect(await run('rollback', settings, '--yes')).toEqual({
    isDone: false,
    text: expect.stringMatching(/disk of the database is full, and nothing was changed/),
  })
  await onDatabase(url, async (client) => {
    expect(await readSchema(client)).toEqual(before)
    expect((await client.query('select id, username from users order by id')).rows).toEqual(rows)
    await client.query('drop event trigger disk_fills')
  })
  expect(await run('rollback', settings, '--yes')).toMatchObject({ isDone: true })
  expect(await readManifest(place, manifest.name)).toEqual(manifest)
  expect(await listBackups(place)).toHaveLength(1)
})
