import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { newId } from '../db/ids.ts'
import { startBucket } from '../test/services/bucket.ts'
import { openStorage } from './open-storage.ts'
import { fileIdOf, isStorageKey, type Storage, storageKeyOf, thumbnailKeyOf } from './storage.ts'

// The same suite for both kinds of storage.

const MB = 1024 * 1024
const dataDir = await mkdtemp(join(tmpdir(), 'parley-storage-'))
afterAll(() => rm(dataDir, { recursive: true }))

describe.each(['disk', 's3'])('on %s', (store) => {
  let storage: Storage
  let neighbour: Storage
  beforeAll(async () => {
    const settings = store === 's3' ? (await startBucket()).settings() : {}
    const config = readConfig({ DATA_DIR: dataDir, ...settings })
    storage = await openStorage(config, newId())
    neighbour = await openStorage(config, newId())
  })

  const bytesOf = (size: number) => Buffer.alloc(size, 'no two parts of it are equal, says 0123456789')
  const inChunks = (bytes: Buffer, size = 60_000) =>
    Readable.from(
      (function* () {
        for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
      })(),
    )
  const list = async (of: Storage) => {
    const listed = []
    for await (const it of of.list()) listed.push(it)
    return listed
  }
  const keys = async (of = storage) => (await list(of)).map(({ key }) => key)
  const read = async (key: string, size: number, range?: { start: number; end: number }) => {
    const found = await storage.read(key, size, range)
    return found && buffer(found)
  }

  test.each([0, 1, 70_000, 5 * MB, 5 * MB + 1, 12 * MB])(
    '%i bytes are read back unchanged, in whole and in part',
    async (size) => {
      const key = storageKeyOf(newId())
      const bytes = bytesOf(size)
      await storage.write(key, inChunks(bytes))
      expect((await read(key, size))?.equals(bytes)).toBe(true)
      if (size > 2) {
        const range = { start: size - 2, end: size - 1 }
        expect(await read(key, size, range)).toEqual(bytes.subarray(size - 2))
        expect(await read(key, size, { start: 0, end: 1 })).toEqual(bytes.subarray(0, 2))
      }
      expect(await keys()).toContain(key)
      await storage.remove([key])
      expect(await read(key, size)).toBeUndefined()
      expect(await keys()).not.toContain(key)
    },
  )

  test.each([100, 7 * MB])('a stream broken after %i bytes leaves nothing and passes on its error', async (size) => {
    const key = storageKeyOf(newId())
    const before = await keys()
    const broken = Readable.from(
      (async function* () {
        for (let sent = 0; sent < size; sent += 50_000) yield bytesOf(50_000)
        throw new Error('the line was cut')
      })(),
    )
    await expect(storage.write(key, broken)).rejects.toThrow('the line was cut')
    expect(await keys()).toEqual(before)
    expect(await read(key, size)).toBeUndefined()
  })

  test('missing and incomplete files cannot be read, and removing a missing file succeeds', async () => {
    const key = storageKeyOf(newId())
    expect(await read(key, 3)).toBeUndefined()
    await storage.remove([])
    await storage.remove([key, thumbnailKeyOf(newId())])
    await storage.write(key, Readable.from([Buffer.from('abc')]))
    expect(await read(key, 4)).toBeUndefined()
    expect((await read(key, 3))?.toString()).toBe('abc')
  })

  test('a listing returns keys and times, and nothing under another prefix', async () => {
    const id = newId()
    for (const key of [storageKeyOf(id), thumbnailKeyOf(id)])
      await storage.write(key, Readable.from([Buffer.from('x')]))
    const listed = (await list(storage)).filter(({ key }) => fileIdOf(key) === id)
    expect(listed.map(({ key }) => key).sort()).toEqual([storageKeyOf(id), thumbnailKeyOf(id)])
    for (const { key, writtenAt } of listed) {
      expect(isStorageKey(key)).toBe(true)
      expect(Math.abs(writtenAt - Date.now())).toBeLessThan(60_000)
    }
    expect(await keys(neighbour)).toEqual([])
  })
})

test('a key is recognized by its format', () => {
  expect(isStorageKey(`${storageKeyOf(newId())}.part`)).toBe(true)
  expect(['notes.txt', `aa/${newId()}/x`, '../x'].filter(isStorageKey)).toEqual([])
})
