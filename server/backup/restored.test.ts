import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { openDatabase } from '../db/database.ts'
import { openStorage } from '../files/open-storage.ts'
import { storageKeyOf } from '../files/storage.ts'
import { claimOrphanScan, removeOrphanedBytes } from '../files/sweep-files.ts'
import { newFolder } from '../test/support/backup-commands.ts'
import { onDatabase } from '../test/support/database.ts'
import { SECRET, startParley } from '../test/support/parley.ts'
import { makeBackup } from './make-backup.ts'
import { openFolder } from './place.ts'
import { restoreBackup } from './restore-backup.ts'

test('files unknown to a restored backup are kept for a week, however old they are', async () => {
  const parley = await startParley()
  const { ada } = await parley.people('ada')
  const { body: channel } = await ada.post('/api/channels', { name: 'plans' })
  const { databaseUrl, app } = parley
  await sql`update workspace set "orphansScannedAt" = now() - interval '30 days'`.execute(app.db)
  await sql`insert into missed_cursor ("lastId") values (gen_random_uuid()) on conflict do nothing`.execute(app.db)
  const place = openFolder(await newFolder())
  const manifest = await makeBackup({
    ...{ databaseUrl, db: app.db, storage: app.storage, place, keep: 14 },
  })
  const { body: file } = await ada.upload(channel.id, 'later.txt', 'three weeks of work')
  const bytes = join(app.config.dataDir, 'files', String(app.storage.pathOf(storageKeyOf(file.id))))
  const longAgo = new Date(Date.now() - 20 * 24 * 60 * 60 * 1000)
  await utimes(bytes, longAgo, longAgo)
  await app.close()

  const config = readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: app.config.dataDir, SECRET })
  await restoreBackup({ ...{ databaseUrl, config, secret: SECRET, place, manifest } })
  // Nobody is mailed messages that they have read since the backup.
  expect((await onDatabase(databaseUrl, (client) => client.query('select from missed_cursor'))).rows).toEqual([])
  const { db } = openDatabase(databaseUrl, { onError: () => {} })
  const storage = await openStorage(config, manifest.filesId)
  const size = () => storage.sizeOf(storageKeyOf(file.id))
  expect(await claimOrphanScan(db)).toBe(false)
  expect(await size()).toBeGreaterThan(0)
  // A week later.
  await sql`update workspace set "orphansScannedAt" = "orphansScannedAt" - interval '8 days'`.execute(db)
  expect(await claimOrphanScan(db)).toBe(true)
  expect(await removeOrphanedBytes(db, storage)).toBe(1)
  expect(await size()).toBeUndefined()
  await db.destroy()
})
