import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { type Storage, storageKeyOf } from '../files/storage.ts'
import { discardUpload } from '../files/store-file.ts'
import { newFolder } from '../test/support/backup-commands.ts'
import { onDatabase } from '../test/support/database.ts'
import { longTest } from '../test/support/long.ts'
import { newDatabase } from '../test/support/new-database.ts'
import { type Person, SECRET, startParley } from '../test/support/parley.ts'
import { lineOf, readFileList } from './file-list.ts'
import { readLastBackup } from './last-backup.ts'
import { makeBackup } from './make-backup.ts'
import { findBackup, type Manifest } from './manifest.ts'
import { writePacked } from './packed.ts'
import { openFolder } from './place.ts'
import { removeBackup } from './prune-backups.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

let parley: Awaited<ReturnType<typeof startParley>>
let ada: Person
let channelId: string
let place: Storage

beforeEach(async () => {
  parley ??= await startParley()
  ada ??= await parley.person('ada')
  channelId ??= (await ada.post('/api/channels', { name: 'kitchen' })).body.id
  await ada.upload(channelId, 'menu.txt', crypto.randomUUID())
  place = openFolder(await newFolder())
})

const backUp = (to: Storage, onWarning: (sentence: string) => void = () => {}) => {
  const { app, databaseUrl } = parley
  return makeBackup({ databaseUrl, db: app.db, storage: app.storage, place: to, keep: 1, onWarning })
}

longTest('a backup that is pruned while its files are read is not called damaged', async () => {
  for (const read of [
    (manifest: Manifest, from: Storage) => verifyBackup(from, manifest),
    async (manifest: Manifest, from: Storage) => {
      const databaseUrl = await newDatabase()
      const config = readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: await newFolder(), SECRET })
      return restoreBackup({ databaseUrl, config, secret: SECRET, place: from, manifest })
    },
  ]) {
    const manifest = await backUp(place)
    const pruned: Storage = {
      ...place,
      async read(key, ...more) {
        if (key.startsWith('files/')) {
          await removeBackup(place, manifest.name)
          await place.remove([key])
        }
        return place.read(key, ...more)
      },
    }
    await expect(read(manifest, pruned)).rejects.toThrow(`The backup ${manifest.name} was removed meanwhile.`)
  }
})

longTest('a backup whose predecessors cannot be removed is still one', async () => {
  await backUp(place)
  const warnings: string[] = []
  const stuck: Storage = {
    ...place,
    async remove(keys) {
      if (keys.some((key) => key.endsWith('manifest.json'))) throw new Error('the bucket allows no deletions')
      await place.remove(keys)
    },
  }
  const { name } = await backUp(stuck, (sentence) => warnings.push(sentence))
  expect(warnings).toEqual(['Old backups could not be removed: the bucket allows no deletions'])
  expect(await readLastBackup(parley.app.db)).toMatchObject({ failure: undefined })
  expect((await findBackup(place)).name).toBe(name)
})

test('a backup that loses its connection says so, and not that the one after it failed', async () => {
  const { db } = parley.app
  let later: string | undefined
  const lost: Storage = {
    ...place,
    async write(key, bytes) {
      if (key.startsWith('files/') && !later) {
        const end = `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'parley backup' and datname = current_database()`
        await onDatabase(parley.databaseUrl, (client) => client.query(end))
        later = (await backUp(place)).name
      }
      await place.write(key, bytes)
    },
  }
  await expect(backUp(lost)).rejects.toThrow(/^The connection to the database was lost meanwhile/)
  expect(await readLastBackup(db)).toMatchObject({ failure: undefined })
  expect(await verifyBackup(place, await findBackup(place))).toMatchObject({ damages: [] })
  expect((await findBackup(place)).name).toBe(later)
})

test('the bytes of an upload that is discarded during a backup stay until it is over', async () => {
  const { app } = parley
  const file = await ada.upload(channelId, 'cut-off.txt')
  const amid: Storage = {
    ...place,
    async write(key, bytes) {
      if (key.includes('/users.')) await discardUpload(app, file.body.id)
      await place.write(key, bytes)
    },
  }
  const { files } = await backUp(amid)
  expect(files?.missing).toBe(0)
})

test('a list of files is copied before it is read, as slowly as it may be, and leaves nothing open', async () => {
  const temporary = await newFolder()
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = temporary
  try {
    const key = (i: number) => storageKeyOf(`${i.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`)
    const lines = Array.from({ length: 50_000 }, (_, i) => lineOf({ key: key(i), size: i, sha256: undefined }))
    const stored = await writePacked(place, 'backups/2026-01-02T030405678Z/files.list.gz', Readable.from(lines))
    let bytes: Readable | undefined
    const watched: Storage = { ...place, read: async (...args) => (bytes = await place.read(...args)) }
    const manifest = { name: '2026-01-02T030405678Z', files: stored } as unknown as Manifest
    const list = readFileList(watched, manifest)
    expect((await list.next()).value).toMatchObject({ key: key(0), size: 0 })
    expect(bytes?.destroyed).toBe(true)
    expect(await readdir(temporary)).toHaveLength(1)
    await list.return(undefined)
    expect(await readdir(temporary)).toEqual([])
  } finally {
    process.env['TMPDIR'] = TMPDIR
    if (TMPDIR === undefined) delete process.env['TMPDIR']
  }
})
