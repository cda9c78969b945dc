import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { newId } from '../db/ids.ts'
import { startBucket } from '../test/services/bucket.ts'
import { openStorage } from './open-storage.ts'
import { createPartBuffers } from './part-buffers.ts'
import { storageKeyOf } from './storage.ts'

const MB = 1024 * 1024

test('a buffer grows with what arrives, and gives its memory back', () => {
  const buffers = createPartBuffers(5 * MB, 96 * MB)
  const part = buffers.open(Readable.from([]))
  part.withRoomFor(0, 10).write('kept')
  expect(buffers.held()).toBe(64 * 1024)
  expect(part.withRoomFor(64 * 1024, 1).toString('utf8', 0, 4)).toBe('kept')
  expect(buffers.held()).toBe(128 * 1024)
  expect(part.withRoomFor(5 * MB - 1, 100)).toHaveLength(5 * MB)
  expect(buffers.held()).toBe(5 * MB)
  part.close()
  part.close()
  expect(buffers.held()).toBe(0)
})

test('uploads to a bucket that stall make way for one that proceeds', async () => {
  const config = readConfig({ ...(await startBucket()).settings() })
  const storage = await openStorage(config, newId(), 12 * MB)
  const stalled = Array.from({ length: 3 }, () => {
    const bytes = new PassThrough({ highWaterMark: 8 * MB })
    bytes.write(Buffer.alloc(3 * MB))
    return storage.write(storageKeyOf(newId()), bytes).then(
      () => 'stored',
      (error) => error.status,
    )
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  const key = storageKeyOf(newId())
  await storage.write(key, Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(MB))))
  expect(await storage.sizeOf(key)).toBe(10 * MB)
  expect(await stalled[0]).toBe(503)
})

test('an upload that had to make way fails in the middle of a chunk, and one always fits', () => {
  const buffers = createPartBuffers(5 * MB, 6 * MB)
  const [stalled, next] = [new PassThrough().on('error', () => {}), new PassThrough()]
  const first = buffers.open(stalled)
  for (const part of [first, buffers.open(next)]) part.withRoomFor(0, 5 * MB)
  expect(stalled.destroyed).toBe(false)
  buffers.open(new PassThrough()).withRoomFor(0, 5 * MB)
  expect([stalled.destroyed, next.destroyed]).toEqual([true, false])
  expect(() => first.withRoomFor(0, 1)).toThrow()
  expect(buffers.held()).toBe(10 * MB)
})
