import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readFilesId } from '../channels/workspace.ts'
import { storeSecrets } from '../config/secrets.ts'
import { newId } from '../db/ids.ts'
import { recordSecret } from '../identity/secret-check.ts'
import { newFolder, run } from '../test/support/backup-commands.ts'
import { onDatabase } from '../test/support/database.ts'
import { longTest } from '../test/support/long.ts'
import { SECRET, startParley } from '../test/support/parley.ts'
import { smallDisk } from '../test/support/small-disk.ts'
import { makeBackup } from './make-backup.ts'
import { findBackup, listBackups, writeManifest } from './manifest.ts'
import { openFolder, openPlace } from './place.ts'
import { freeBytes } from './room.ts'
import { claimBackup } from './schedule.ts'
import { verifyBackup } from './verify-backup.ts'

let started: ReturnType<typeof startParley> | undefined
const parley = () => {
  started ??= startParley()
  return started
}
const optionsOf = ({ app, databaseUrl }: Awaited<ReturnType<typeof startParley>>) => ({
  ...{ databaseUrl, db: app.db, storage: app.storage, keep: 1 },
})

longTest('a backup made after the clock was set back is the newest, and is kept', async () => {
  const options = { ...optionsOf(await parley()), place: openFolder(await newFolder()) }
  const { name } = await makeBackup(options)
  // As if the clock had been in a different year.
  const ahead = name.replace(/^..../, '2999')
  await writeManifest(options.place, {
    ...(await findBackup(options.place)),
    name: ahead,
    tables: [],
    files: undefined,
  })
  const { name: last } = await makeBackup(options)
  expect(await listBackups(options.place)).toEqual([{ name: last, isComplete: true }])
})

longTest('a backup whose lock was lost with its connection does not count', async () => {
  const it = await parley()
  const folder = openFolder(await newFolder())
  const cut = () =>
    onDatabase(it.databaseUrl, (client) =>
      client.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and application_name = 'parley backup'`),
    )
  const place: typeof folder = {
    ...folder,
    async write(key, bytes) {
      await folder.write(key, bytes)
      if (key.endsWith('files.list.gz')) await cut()
    },
  }
  await expect(makeBackup({ ...optionsOf(it), place })).rejects.toThrow('The connection to the database was lost')
  expect(await listBackups(folder)).toEqual([])
})

test('a full disk is named, and what could be written of the backup is removed', async () => {
  const disk = await smallDisk(4)
  if (!disk) return
  const free = await freeBytes(disk)
  await writeFile(join(disk, 'filler'), Buffer.alloc(free - 30_000))
  await expect(makeBackup({ ...optionsOf(await parley()), place: openFolder(disk) })).rejects.toThrow(
    `${disk} is full: make room there.`,
  )
  expect((await readdir(disk)).sort()).toEqual(['backups', 'filler'])
  expect(await readdir(join(disk, 'backups'))).toEqual([])
})

test('an unusable place is named in the error: a file, an unreachable bucket', async () => {
  const it = await parley()
  const path = join(await newFolder(), 'file')
  await writeFile(path, '')
  await expect(makeBackup({ ...optionsOf(it), place: openFolder(path) })).rejects.toThrow(
    `${path} can't be used: ENOTDIR`,
  )
  const s3 = { bucket: 'b', region: 'r', endpoint: 'http://127.0.0.1:9', accessKeyId: 'a', secretAccessKey: 'b' }
  await expect(makeBackup({ ...optionsOf(it), place: await openPlace({ s3, prefix: 'p' }) })).rejects.toThrow(
    /^s3:\/\/b\/p can't be used: .*ECONNREFUSED/,
  )
})

longTest('a restore without the saved secrets is refused before it creates new ones', async () => {
  const it = await parley()
  const folder = await newFolder()
  await makeBackup({ ...optionsOf(it), place: openFolder(folder) })
  const dataDir = await newFolder()
  expect(await run('restore', { DATABASE_URL: '', SECRET: '', DATA_DIR: dataDir, BACKUP_TO: folder })).toEqual({
    isDone: false,
    text: `The secrets are not in this backup: put the saved secrets.json into ${dataDir}, or set SECRET to its "identity".\n`,
  })
  expect(await readdir(dataDir)).toEqual([])
})

test('a backup is due again after the clock was set back, but not while one is running', async () => {
  const { app, databaseUrl } = await parley()
  const setTimes = (at: string) =>
    onDatabase(databaseUrl, (client) =>
      client.query(`update workspace set "backedUpAt" = ${at}, "backupTriedAt" = ${at}`),
    )
  await setTimes(`now() + interval '1 year'`)
  expect(await claimBackup(app, 60_000)).toBe(true)
  expect(await claimBackup(app, 60_000)).toBe(false)
  await setTimes('null')
  await onDatabase(databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock(7254902, 1)')
    expect(await claimBackup(app, 60_000)).toBe(false)
  })
  expect(await claimBackup(app, 60_000)).toBe(true)
})

longTest('a damaged backup is named, and does not prevent others from being made and removed', async () => {
  const folder = await newFolder()
  const place = openFolder(folder)
  const warnings: string[] = []
  const options = { ...optionsOf(await parley()), place, onWarning: (it: string) => warnings.push(it) }
  const { name: first } = await makeBackup(options)
  const names = async () => (await listBackups(place)).map(({ name }) => name)
  for (const file of ['manifest.json', 'files.list.gz']) {
    const { name: damaged } = await makeBackup(options)
    expect(await names()).toEqual([damaged])
    await writeFile(join(folder, 'backups', damaged, file), 'x')
    // The damaged backup may refer to it.
    const unnamed = 'files/00/01900000-0000-7000-8000-000000000000'
    await place.write(unnamed, Readable.from([Buffer.from('old')]))
    const { name: next } = await makeBackup({ ...options, keep: 2 })
    expect(await names()).toEqual([damaged, next])
    expect(warnings.splice(0)).toEqual([expect.stringContaining(damaged)])
    expect(await place.sizeOf(unnamed)).toBe(3)
    const { name: last } = await makeBackup(options)
    expect(await names()).toEqual([last])
    expect(warnings).toEqual([])
    expect(await place.sizeOf(unnamed)).toBeUndefined()
  }
  expect(first).not.toBe((await names())[0])
})

longTest('a copy of the database that is backed up to the same place leaves a running backup alone', async () => {
  const it = await parley()
  const copy = await startParley()
  await copy.app.db
    .updateTable('workspace')
    .set({ filesId: await readFilesId(it.app.db), epoch: newId() })
    .execute()
  const folder = openFolder(await newFolder())
  const shared = 'files/00/01900000-0000-7000-8000-000000000000'
  const warnings: string[] = []
  const place: typeof folder = {
    ...folder,
    async write(key, bytes) {
      await folder.write(key, bytes)
      if (!key.endsWith('files.list.gz')) return
      // As if the running backup had copied it.
      await folder.write(shared, Readable.from([Buffer.from('new')]))
      await makeBackup({ ...optionsOf(copy), place: folder, onWarning: (it) => warnings.push(it) })
      expect(await folder.sizeOf(shared)).toBe(3)
    },
  }
  const { name } = await makeBackup({ ...optionsOf(it), keep: 2, place })
  expect(warnings).toEqual([expect.stringContaining(`Another database is being backed up to this place (${name})`)])
  expect((await verifyBackup(folder, await findBackup(folder, name))).damaged).toBe(0)
})

longTest('a restore with other secrets is refused before anything is written', async () => {
  const it = await parley()
  await recordSecret(it.app.db, SECRET, it.app.config)
  const folder = await newFolder()
  await makeBackup({ ...optionsOf(it), place: openFolder(folder) })
  const dataDir = await newFolder()
  const settings = { DATABASE_URL: '', SECRET: '', DATA_DIR: dataDir, BACKUP_TO: folder }
  await storeSecrets(dataDir, 'another'.repeat(8))
  expect(await run('restore', settings)).toEqual({
    isDone: false,
    text: `The secret in ${dataDir}/secrets.json is not the secret of the workspace of this backup: set SECRET to the one that its nodes have used.\n`,
  })
  expect(await readdir(dataDir)).toEqual(['secrets.json'])
  await rm(join(dataDir, 'secrets.json'))
  const text = expect.stringContaining('SECRET is not the secret of the workspace of this backup')
  expect(await run('restore', { ...settings, SECRET: 'another'.repeat(8) })).toEqual({ isDone: false, text })
  expect(await readdir(dataDir)).toEqual([])
})
