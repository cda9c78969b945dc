import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeBackup } from '../../server/backup/make-backup.ts'
import { writeManifest } from '../../server/backup/manifest.ts'
import { openFolder } from '../../server/backup/place.ts'
import { readConfig } from '../../server/config/config.ts'
import { newFolder } from '../../server/test/support/backup-commands.ts'
import { SECRET, startParley } from '../../server/test/support/parley.ts'
import { checkBackups } from './check-backups.ts'

const parley = await startParley()
const { app, databaseUrl } = parley

const check = async (settings: NodeJS.ProcessEnv, url: string | undefined = databaseUrl) =>
  (await checkBackups(readConfig(settings), url)).map(({ state, text }) => `${state} ${text}`)
const backUp = (folder: string, passphrase?: string) => {
  const secrets = passphrase === undefined ? undefined : { identity: SECRET, passphrase }
  return makeBackup({ databaseUrl, db: app.db, storage: app.storage, place: openFolder(folder), keep: 14, secrets })
}
const stating = (...texts: string[]) => texts.map((text) => expect.stringContaining(text))

test('without a place nothing is wrong, but it says what to set', async () => {
  expect(await check({})).toEqual(stating('none BACKUP_TO is not set'))
  expect(await check({}, 'postgres://127.0.0.1:9/nothing')).toEqual(stating('none BACKUP_TO is not set'))
})

test('an empty place is a problem unless the server makes backups', async () => {
  const BACKUP_TO = await newFolder()
  expect(await check({ BACKUP_TO })).toEqual(stating(`problem There is no backup in ${BACKUP_TO}`))
  expect(await check({ BACKUP_TO, BACKUP_EVERY: '1d' })).toEqual(stating('none There is no backup in'))
  const other = await startParley()
  await other.app.db.updateTable('workspace').set({ filesId: randomUUID() }).execute()
  await backUp(BACKUP_TO)
  expect(await check({ BACKUP_TO, BACKUP_EVERY: '1d' }, other.databaseUrl)).toEqual(
    stating(`problem ${BACKUP_TO} holds the backups of another workspace`),
  )
})

test('a good backup on another disk, with its secrets, is all right', async () => {
  const BACKUP_TO = await newFolder()
  const { name } = await backUp(BACKUP_TO, 'correct horse battery')
  const here = { BACKUP_TO, DATA_DIR: await newFolder() }
  const age = `ok The newest backup is 1 min old`
  const elsewhere = { BACKUP_TO, BACKUP_EVERY: '1d', DATA_DIR: '/proc' }
  const line = expect.stringMatching(new RegExp(`^${age} \\(\\d.* KB\\): ${BACKUP_TO}/backups/${name}\\.$`))
  expect(await check(elsewhere)).toEqual([line, ...stating('none The secrets are in the newest one.')])
  const opened = async (BACKUP_PASSPHRASE: string) => (await check({ ...elsewhere, BACKUP_PASSPHRASE }))[1]
  expect(await opened('correct horse battery')).toContain('ok BACKUP_PASSPHRASE opens the secrets')
  expect(await opened('another horse battery')).toContain('problem The secrets of the backup')
  expect(await check(here)).toEqual(
    stating(
      age,
      'none They are on the disk of DATA_DIR',
      'none BACKUP_EVERY is not set',
      'none The secrets are in the newest one.',
    ),
  )
  expect(await check({}, databaseUrl)).toEqual(stating('The last one was made 1 min ago'))
})

test('one that is too old for the schedule, a failed attempt, and secrets that are in no backup', async () => {
  const BACKUP_TO = await newFolder()
  const manifest = await backUp(BACKUP_TO)
  const threeDaysAgo = new Date(Date.now() - 72 * 3_600_000).toISOString()
  await writeManifest(openFolder(BACKUP_TO), { ...manifest, madeAt: threeDaysAgo })
  await app.db.updateTable('workspace').set({ backupFailure: 'The bucket is gone.' }).execute()
  const settings = { BACKUP_TO, BACKUP_EVERY: '1d', DATA_DIR: '/proc' }
  expect(await check(settings)).toEqual(
    stating(
      'problem The newest backup is 3 days old',
      'problem The last attempt to back up failed: The bucket is gone.',
      'none The secrets are not in the newest one',
    ),
  )
  expect((await check({ ...settings, BACKUP_EVERY: '2d' }))[0]).toContain('ok The newest')
})

test('a damaged backup, and a place that is a file, are named', async () => {
  const BACKUP_TO = await newFolder()
  const { name } = await backUp(BACKUP_TO)
  const later = await backUp(BACKUP_TO)
  await writeFile(join(BACKUP_TO, 'backups', later.name, 'manifest.json'), '{"manifest":{"format":1}}')
  await expect(check({ BACKUP_TO })).rejects.toThrow(
    'is damaged: its manifest.json cannot be read. The one before it is',
  )
  const path = join(BACKUP_TO, 'backups', name, 'manifest.json')
  await expect(check({ BACKUP_TO: path })).rejects.toThrow(`${path} can't be used`)
  await mkdir(join(BACKUP_TO, 'empty'))
  expect(await check({ BACKUP_TO: join(BACKUP_TO, 'empty') })).toEqual(stating('problem There is no backup in'))
})
