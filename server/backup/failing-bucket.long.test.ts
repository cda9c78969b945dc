import { beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import type { Storage } from '../files/storage.ts'
import { startBucket } from '../test/services/bucket.ts'
import { newFolder } from '../test/support/backup-commands.ts'
import { onDatabase } from '../test/support/database.ts'
import { startFaultProxy } from '../test/support/fault-proxy.ts'
import { isLong } from '../test/support/long.ts'
import { newDatabase } from '../test/support/new-database.ts'
import { type Person, SECRET, startParley } from '../test/support/parley.ts'
import { readSchema } from '../test/support/schema-breaks.ts'
import { readLastBackup } from './last-backup.ts'
import { makeBackup } from './make-backup.ts'
import { findBackup, listBackups } from './manifest.ts'
import { openPlace } from './place.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

// Backups in a bucket that fails in the middle: it refuses connections, or no longer answers.

type Fault = 'cut' | 'freeze'
/** With LONG=1 also those that take minutes. */
const FAULTS: Fault[] = isLong ? ['cut', 'freeze'] : ['cut']
const MAX_MINUTES = 5

/** Of a file whose first bytes don't come with the answer's head. */
const LARGE_BYTES = 8_000_000

let parley: Awaited<ReturnType<typeof startParley>>
let ada: Person
let channelId: string
let bucket: Awaited<ReturnType<typeof startFaultProxy>>
let place: Storage

beforeAll(async () => {
  parley = await startParley()
  ada = await parley.person('ada')
  channelId = (await ada.post('/api/channels', { name: 'kitchen' })).body.id
  for (let i = 0; i < 5; i++) await ada.upload(channelId, `menu-${i}.txt`)
  await ada.upload(channelId, 'large.bin', new Uint8Array(LARGE_BYTES).fill(7))
  const { settings } = await startBucket()
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings()
  bucket = await startFaultProxy(S3_ENDPOINT)
  const s3 = { bucket: S3_BUCKET, region: 'us-east-1', endpoint: bucket.address }
  const keys = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
  place = await openPlace({ s3: { ...s3, ...keys }, prefix: 'kept' })
})

/** The same place, which fails after the first write to a folder or file. */
function failingWrites(fault: Fault, part: string): Storage {
  let isDone = false
  return {
    ...place,
    async write(key, bytes) {
      await place.write(key, bytes)
      if (isDone || !key.includes(part)) return
      isDone = true
      bucket[fault]()
    },
  }
}

/** The same place, which fails before a table is read, or in the middle of the large file. */
const failingReads = (fault: Fault, part: 'messages.copy' | 'large file'): Storage => ({
  ...place,
  async read(key, size, ...range) {
    if (key.includes(part)) bucket[fault]()
    const bytes = await place.read(key, size, ...range)
    if (part === 'large file' && size === LARGE_BYTES) bucket[fault]()
    return bytes
  },
})
const backUp = (to: Storage) => {
  const { app, databaseUrl } = parley
  return makeBackup({ databaseUrl, db: app.db, storage: app.storage, place: to, keep: 1 })
}
/** An interrupted connection is gone. */
function repair() {
  bucket.cut()
  bucket.restore()
}

test.each(FAULTS)(
  'a backup whose bucket fails (%s) does not count, and the next one completes',
  async (fault) => {
    const parts = fault === 'freeze' ? ['files/'] : ['users.copy', 'files/']
    const good = await backUp(place)
    for (const part of parts) {
      await ada.upload(channelId, `${fault} ${part}.txt`)
      await expect(backUp(failingWrites(fault, part))).rejects.toThrow(/^s3:\/\/parley\/kept can't be used: /)
      repair()
      expect((await readLastBackup(parley.app.db)).failure).toContain("can't be used")
      // The only good one stays until there is another.
      expect((await listBackups(place)).filter((it) => it.isComplete)).toEqual([{ name: good.name, isComplete: true }])
    }
    const manifest = await backUp(place)
    expect(await listBackups(place)).toEqual([{ name: manifest.name, isComplete: true }])
    expect(await verifyBackup(place, manifest)).toMatchObject({ damages: [], missing: [] })
  },
  MAX_MINUTES * 60_000,
)

test.each(FAULTS)(
  'a restore from a bucket that fails (%s) leaves nothing, and completes when repeated',
  async (fault) => {
    await backUp(place)
    const url = await newDatabase()
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: await newFolder(), SECRET })
    const restore = async (from: Storage) =>
      restoreBackup({ databaseUrl: url, config, secret: SECRET, place: from, manifest: await findBackup(place) })
    for (const part of ['large file', 'messages.copy'] as const) {
      await expect(restore(failingReads(fault, part))).rejects.toThrow(/can't be used: /)
      repair()
      expect(await onDatabase(url, readSchema)).toEqual(new Map())
    }
    expect(await restore(place)).toEqual([])
  },
  MAX_MINUTES * 60_000,
)
