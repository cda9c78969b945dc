import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { openDatabase } from '../db/database.ts'
import { openStorage } from '../files/open-storage.ts'
import { storageKeyOf } from '../files/storage.ts'
import { claimOrphanScan, removeOrphanedBytes, sweepOnce } from '../files/sweep-files.ts'
import { remindDue } from '../later/remind.ts'
import { claimDigest } from '../notifications/rules.ts'
import { newFolder } from '../test/support/backup-commands.ts'
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

test('a restored workspace mails nothing old, and keeps what was unsent or unfinished at the backup', async () => {
  const parley = await startParley()
  const { ada, bob } = await parley.people('ada', 'bob')
  const { body: channel } = await ada.post('/api/channels', { name: 'plans' })
  const { databaseUrl, app } = parley
  const { body: unsent } = await ada.upload(channel.id, 'unsent.txt', 'a draft', true)
  const { body: pending } = await ada.upload(channel.id, 'pending.txt', 'half of it', true)
  await bob.put('/api/mail-rules', { rule: 'digest', isOn: true })
  const { body: reminder } = await bob.post('/api/later', {
    text: 'call',
    dueAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const { body: scheduled } = await ada.post('/api/scheduled-messages', {
    channelId: channel.id,
    content: 'at nine',
    sendAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  // Its own sweep would remove them.
  await app.close()
  const { db: before } = openDatabase(databaseUrl, { onError: () => {} })
  await sql`update files set "touchedAt" = now() - interval '8 days' where id = ${unsent.id}`.execute(before)
  await sql`update files set state = 'pending', "touchedAt" = now() - interval '1 hour' where id = ${pending.id}`.execute(
    before,
  )
  await sql`insert into mail_rules ("userId", rule, "isOn", "dueAt") values (${bob.id}, 'digest', true, now() - interval '1 day')
    on conflict ("userId", rule) do update set "dueAt" = excluded."dueAt"`.execute(before)
  await sql`update later_items set "dueAt" = now() - interval '1 hour' where id = ${reminder.id}`.execute(before)
  await sql`update scheduled_messages set "sendAt" = now() - interval '1 hour', "nextTryAt" = now() - interval '1 hour'
    where id = ${scheduled.id}`.execute(before)
  const place = openFolder(await newFolder())
  const manifest = await makeBackup({ ...{ databaseUrl, db: before, storage: app.storage, place, keep: 14 } })
  await before.destroy()

  const config = readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: app.config.dataDir, SECRET })
  await restoreBackup({ ...{ databaseUrl, config, secret: SECRET, place, manifest } })
  const { db } = openDatabase(databaseUrl, { onError: () => {} })
  const storage = await openStorage(config, manifest.filesId)
  await sweepOnce(db, storage)
  for (const { id } of [unsent, pending]) expect(await storage.sizeOf(storageKeyOf(id))).toBeGreaterThan(0)
  const { rows } = await sql<{ age: number }>`
    select extract(epoch from now() - uuid_extract_timestamp("lastId"))::float8 as age from missed_cursor`.execute(db)
  expect(rows).toHaveLength(1)
  expect(Math.abs(rows[0]?.age ?? 1e9)).toBeLessThan(60)
  expect(await db.transaction().execute(claimDigest)).toBeUndefined()
  const [presence, push] = [{ isActive: () => false }, { isOn: true, publicKey: '' }]
  expect(await remindDue({ db, presence, push, publish: () => expect.fail('reminded again') })).toBe(true)
  const returned = db.selectFrom('scheduled_messages').select('failure').where('id', '=', scheduled.id)
  expect((await returned.executeTakeFirstOrThrow()).failure).toMatchObject({ reason: 'scheduledMissed' })
  const listed = db.selectFrom('later_items').select('remindedAt').where('id', '=', reminder.id)
  expect((await listed.executeTakeFirstOrThrow()).remindedAt).not.toBeNull()
  await db.destroy()
})
