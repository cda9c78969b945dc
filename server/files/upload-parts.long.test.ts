import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { newId } from '../db/ids.ts'
import type { Bounds } from '../limits/bounds.ts'
import { startBucket } from '../test/services/bucket.ts'
import { freePort } from '../test/support/free-port.ts'
import { longTest } from '../test/support/long.ts'
import { openBucket } from './s3.ts'
import { type Storage, storageKeyOf } from './storage.ts'

// Uploads to a bucket with few slots for parts: two here, and one per person.

const KB = 1024
const MB = 1024 * KB
const LONG_MS = 60_000
const [ada, bob, cyd] = ['ada', 'bob', 'cyd']

const openWith = (settings: NodeJS.ProcessEnv, limits: Partial<Bounds['uploadParts']> = {}) => {
  const { s3 } = readConfig({ DATA_DIR: '/nowhere', ...settings })
  if (!s3) throw new Error('The settings name no bucket')
  const usual = { bytes: 10 * MB, perUser: 1, waitMs: LONG_MS, checkMs: LONG_MS, minBytes: 50 * KB }
  return openBucket(s3, newId(), 100 * MB, { ...usual, ...limits })
}

let bucket: Awaited<ReturnType<typeof startBucket>>
beforeAll(async () => {
  bucket = await startBucket()
})

/** Starts an upload of 100,000 bytes plus whatever `send` adds, until `end`. */
function begin(storage: Storage, uploader: string) {
  const bytes = new Readable({ read() {} })
  const send = (size: number) => bytes.push(Buffer.alloc(size))
  send(100_000)
  const key = storageKeyOf(newId())
  const stored = storage.write(key, bytes, uploader)
  stored.catch(() => {})
  return { key, stored, send, end: () => bytes.push(null), cut: () => bytes.destroy(new Error('the line was cut')) }
}

const whole = (size: number) => Readable.from([Buffer.alloc(size, 'x')])

/** Long enough for a part to be read and sent if there is a slot. */
const aMoment = () => sleep(300)

const failure = (reason: string, status: number) => ({ status, problem: { reason } })

test('slow uploads of one person do not delay those of others, and complete', async () => {
  const storage = openWith(bucket.settings())
  const slow = Array.from({ length: 5 }, () => begin(storage, ada))
  await aMoment()
  const key = storageKeyOf(newId())
  await storage.write(key, whole(6 * MB), bob)
  expect(await storage.sizeOf(key)).toBe(6 * MB)
  for (const { end } of slow) end()
  await Promise.all(slow.map(({ stored }) => stored))
  expect(await Promise.all(slow.map(({ key: of }) => storage.sizeOf(of)))).toEqual(slow.map(() => 100_000))
})

test('too slow uploads are aborted once another waits; small files need not wait', async () => {
  const storage = openWith(bucket.settings(), { checkMs: 500 })
  const slow = [begin(storage, ada), begin(storage, bob)]
  await aMoment()
  const [small, large] = [storageKeyOf(newId()), storageKeyOf(newId())]
  await storage.write(small, whole(50_000), cyd)
  await storage.write(large, whole(6 * MB), cyd)
  // One of them may have been allowed to continue.
  for (const { end } of slow) end()
  expect(await Promise.allSettled(slow.map(({ stored }) => stored))).toContainEqual({
    status: 'rejected',
    reason: expect.objectContaining(failure('uploadStalled', 400)),
  })
  const stored = await storage.read(large, 6 * MB)
  expect((await buffer(stored as Readable)).every((byte) => byte === 120)).toBe(true)
})

longTest('slow uploads continue if they are steady or nobody waits for them', async () => {
  const storage = openWith(bucket.settings(), { checkMs: 400, minBytes: 10 * KB })
  const alone = begin(storage, ada)
  await sleep(1000)
  alone.end()
  await alone.stored
  const steady = [begin(storage, ada), begin(storage, bob)]
  await aMoment()
  const waiting = storage.write(storageKeyOf(newId()), whole(MB), cyd)
  for (let n = 0; n < 30; n++) {
    for (const { send } of steady) send(10 * KB)
    await sleep(50)
  }
  for (const { end } of steady) end()
  await Promise.all([...steady.map(({ stored }) => stored), waiting])
})

test('an upload that waits too long is rejected; one that is cut off leaves the queue immediately', async () => {
  const storage = openWith(bucket.settings(), { waitMs: 500 })
  const first = begin(storage, ada)
  await aMoment()
  const [late, cut] = [begin(storage, ada), begin(storage, ada)]
  await sleep(100)
  cut.cut()
  await expect(cut.stored).rejects.toThrow('the line was cut')
  await expect(late.stored).rejects.toMatchObject(failure('busy', 503))
  first.end()
  await first.stored
  const next = begin(storage, ada)
  next.end()
  await next.stored
})

test('a store failure in the middle of an upload is reported as such', async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`
  const storage = openWith(bucket.settings(endpoint))
  const failed = storage.write(storageKeyOf(newId()), Readable.from([Buffer.alloc(3 * MB), Buffer.alloc(9 * MB)]), ada)
  await expect(failed).rejects.toMatchObject(failure('storageAway', 503))
})

test('many downloads that nobody reads leave room for others', async () => {
  const storage = openWith(bucket.settings())
  const key = storageKeyOf(newId())
  await storage.write(key, whole(2 * MB))
  const paused = []
  // Each takes a connection; by default there are 50.
  for (let i = 0; i < 60; i++) paused.push(await storage.read(key, 2 * MB))
  const other = storageKeyOf(newId())
  await storage.write(other, whole(10))
  expect(await storage.sizeOf(other)).toBe(10)
  for (const bytes of paused) bytes?.destroy()
})
