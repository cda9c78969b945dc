import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, run } from '../test/support/backup-commands.ts'
import { onDatabase } from '../test/support/database.ts'
import { longTest } from '../test/support/long.ts'
import { serve, startParley } from '../test/support/parley.ts'
import { makeBackup } from './make-backup.ts'
import { listBackups } from './manifest.ts'
import { openFolder } from './place.ts'
import { claimBackup } from './schedule.ts'

type Node = Awaited<ReturnType<typeof serve>>

async function metric({ app }: Node, name: string): Promise<number> {
  const { body } = await app.inject({ url: '/metrics' })
  return Number(new RegExp(`^parley_last_backup_${name} (\\S+)`, 'm').exec(body)?.[1])
}

test('one of two nodes makes a due backup, and the metrics and audit log of both show it', async () => {
  const folder = await newFolder()
  const settings = { BACKUP_TO: folder, BACKUP_EVERY: '1d' }
  const parley = await startParley(settings)
  const other = await serve(parley.databaseUrl, settings)
  const place = openFolder(folder)
  await expect.poll(() => listBackups(place)).toEqual([{ name: expect.any(String), isComplete: true }])
  for (const node of [parley, other])
    await expect.poll(() => metric(node, 'timestamp_seconds')).toBeGreaterThan(1_700_000_000)
  expect(await metric(other, 'failed')).toBe(0)
  expect(await metric(other, 'duration_seconds')).toBeGreaterThan(0)
  expect(await metric(other, 'bytes')).toBeGreaterThan(1000)
  const { db } = parley.app
  const lines = () => db.selectFrom('audit_log').select('kind').where('kind', '=', 'backup_made').execute()
  expect(await lines()).toHaveLength(1)
  expect(await listBackups(place)).toHaveLength(1)
})

longTest(
  'a backup that failed is in the metrics of each node, with the time of the last good one, until the next succeeds',
  async () => {
    const folder = await newFolder()
    const blocked = join(folder, 'file')
    await writeFile(blocked, '')
    const settings = { BACKUP_TO: blocked, BACKUP_EVERY: '1d' }
    const parley = await startParley(settings)
    const other = await serve(parley.databaseUrl)
    await expect.poll(() => metric(other, 'failed')).toBe(1)
    expect(await metric(other, 'timestamp_seconds')).toBe(0)
    const { app, databaseUrl } = parley
    const { backupFailure } = await app.db.selectFrom('workspace').select('backupFailure').executeTakeFirstOrThrow()
    expect(backupFailure).toContain(`${blocked} can't be used: ENOTDIR`)

    const options = { databaseUrl, db: app.db, storage: app.storage, place: openFolder(join(folder, 'good')), keep: 14 }
    // One that is stopped, or finds another one running, says nothing about either.
    await expect(makeBackup({ ...options, signal: AbortSignal.abort() })).rejects.toThrow()
    await onDatabase(databaseUrl, async (client) => {
      await client.query('select pg_advisory_lock(7254902, 1)')
      await expect(makeBackup(options)).rejects.toThrow('Another backup')
    })
    expect(await metric(other, 'failed')).toBe(1)
    await makeBackup(options)
    expect(await metric(other, 'failed')).toBe(0)
    expect(await metric(other, 'timestamp_seconds')).toBeGreaterThan(1_700_000_000)
  },
)

longTest('a backup to another place than BACKUP_TO says nothing about the scheduled ones', async () => {
  const parley = await startParley()
  const { app, databaseUrl } = parley
  const [regular, other] = [await newFolder(), await newFolder()]
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: app.config.dataDir, BACKUP_TO: regular }
  expect(await run('backup', settings, `--to=${other}`)).toMatchObject({ isDone: true })
  expect(await metric(parley, 'timestamp_seconds')).toBe(0)
  await writeFile(join(other, 'file'), '')
  expect(await run('backup', settings, `--to=${join(other, 'file')}`)).toMatchObject({ isDone: false })
  expect(await metric(parley, 'failed')).toBe(0)
  expect(await claimBackup(app, 24 * 3_600_000)).toBe(true)
  expect(await run('backup', settings, `--to=${app.config.dataDir}/files`)).toEqual({
    isDone: false,
    text: `Backups need a folder of their own, not ${app.config.dataDir}/files, which has other contents.\n`,
  })
  // Without BACKUP_TO, it is theirs.
  expect(await run('backup', { ...settings, BACKUP_TO: '' }, `--to=${regular}`)).toMatchObject({ isDone: true })
  expect(await metric(parley, 'timestamp_seconds')).toBeGreaterThan(1_700_000_000)
})
