import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { create } from 'tar'
import { expect, it } from 'vitest'
import { newFolder, zipOf } from '../../test/support/import-archive.ts'
import type { ImportArchive } from '../records.ts'
import { MAX_RECORD_BYTES } from './bounds.ts'
import { openArchive } from './open-archive.ts'
import { readElements, readLines, readTables } from './read-json.ts'

const bounds = { maxEntries: 3, maxTotalBytes: 50_000_000, maxRatio: 100 }
const written = async (name: string, bytes: string | Buffer) => {
  const path = join(await newFolder(), name)
  await writeFile(path, bytes)
  return path
}
/** A ZIP with manipulated bytes. */
const changed = async (contents: Record<string, unknown>, change: (bytes: Buffer) => Buffer) =>
  written('changed.zip', change(await readFile(await zipOf(contents))))
const replaced = (bytes: Buffer, from: string, to: string) =>
  Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')
const all = async <T>(values: AsyncIterable<T>) => {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}
const bytesIn = async (archive: ImportArchive, name: string) => (await buffer(await archive.open(name))).toString()

it('a ZIP, a tar, a folder and a single file are read alike', async () => {
  const folder = await newFolder()
  await mkdir(join(folder, 'in/data'), { recursive: true })
  await writeFile(join(folder, 'in/a.json'), '[1]')
  await writeFile(join(folder, 'in/data/empty'), '')
  await symlink('/etc/passwd', join(folder, 'in/link'))
  await create({ cwd: join(folder, 'in'), file: join(folder, 'a.tar.gz'), gzip: true }, ['.'])
  await create({ cwd: join(folder, 'in'), file: join(folder, 'a.tar') }, ['.'])
  const zip = await zipOf({ 'a.json': '[1]', 'data/empty': '' })
  const workDir = await newFolder()
  for (const path of [zip, join(folder, 'in'), join(folder, 'a.tar.gz'), join(folder, 'a.tar')]) {
    const archive = await openArchive(path, { workDir })
    expect(archive.entries.map(({ name, size }) => [name, size]).sort(), path).toEqual([
      ['a.json', 3],
      ['data/empty', 0],
    ])
    expect(await bytesIn(archive, 'a.json')).toBe('[1]')
    expect(await bytesIn(archive, 'data/empty')).toBe('')
    await expect(archive.open('../a.json')).rejects.toMatchObject({ reason: 'damaged' })
    await archive.close()
  }
  expect(await readdir(workDir)).toEqual([])
  const packed = await openArchive(await written('x.jsonl.gz', gzipSync('{}\n')))
  expect(packed.entries.map(({ name }) => name)).toEqual(['x.jsonl'])
  expect(await bytesIn(packed, 'x.jsonl')).toBe('{}\n')
})

it.each<[string, () => Promise<string>, string]>([
  ['is no archive', () => written('a.txt', 'hello'), 'notAnArchive'],
  ['is empty', () => written('a.bin', ''), 'notAnArchive'],
  ['is cut off', () => changed({ a: 'x'.repeat(1000) }, (bytes) => bytes.subarray(0, -30)), 'damaged'],
  [
    'leads out of its place',
    () => changed({ 'aaa/b': 'x' }, (bytes) => replaced(bytes, 'aaa/b', '../ab')),
    'unsafeName',
  ],
  ['has an absolute name', () => changed({ 'aaa/b': 'x' }, (bytes) => replaced(bytes, 'aaa/b', '/aa/b')), 'unsafeName'],
  ['has a name twice', () => changed({ aa: 'x', ab: 'y' }, (bytes) => replaced(bytes, 'ab', 'aa')), 'duplicateName'],
  ['has too many files', () => zipOf({ a: '', b: '', c: '', d: '' }), 'tooManyEntries'],
  ['unpacks to a thousand times its size', () => zipOf({ a: Buffer.alloc(40_000_000) }), 'tooLarge'],
  ['is a broken compressed tar', () => written('a.tar.gz', gzipSync('x'.repeat(2000)).subarray(0, 20)), 'damaged'],
])('an archive that %s is refused', async (_, make, reason) => {
  await expect(openArchive(await make(), { bounds })).rejects.toMatchObject({ reason })
})

it('an encrypted archive is refused', async () => {
  // The flag is at offset 8 of an entry in the list at the end.
  const path = await changed({ a: 'x' }, (bytes) => {
    const at = bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
    bytes[at + 8] = (bytes[at + 8] ?? 0) | 1
    return bytes
  })
  await expect(openArchive(path)).rejects.toMatchObject({ reason: 'encrypted', entry: 'a' })
})

it('a compressed file that grows beyond the bounds fails while it is read', async () => {
  const archive = await openArchive(await written('a.json.gz', gzipSync(Buffer.alloc(60_000_000, ' '))), { bounds })
  await expect(all(readElements(archive, 'a.json'))).rejects.toMatchObject({ reason: 'tooLarge' })
})

it('the checksum reveals changed bytes', async () => {
  const path = await changed({ 'a.bin': Buffer.from([1, 2, 3, 4, 5]) }, (bytes) => bytes)
  const bytes = await readFile(path)
  const at = bytes.indexOf('a.bin') + 'a.bin'.length
  bytes[at + 3] = (bytes[at + 3] ?? 0) ^ 0x10
  await writeFile(path, bytes)
  const archive = await openArchive(path)
  await expect(bytesIn(archive, 'a.bin')).rejects.toMatchObject({ reason: 'damaged' })
})

const ofJson = async (text: string | Buffer) =>
  openArchive(await zipOf({ 'a.json': text }), { bounds: { ...bounds, maxRatio: 1e6 } })

it('lists and tables are read one element at a time, whatever the bytes', async () => {
  expect(await all(readElements(await ofJson('\ufeff[{"a":"\\ud83d"},2,[]]'), 'a.json'))).toEqual([
    { a: '\ud83d' },
    2,
    [],
  ])
  expect(await all(readElements(await ofJson(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])), 'a.json'))).toEqual([
    '\ufffd',
  ])
  expect(
    await all(readTables(await ofJson('{"x":{"id":1},"n":1,"m":[{"a":1},2],"__proto__":{"b":1}}'), 'a.json')),
  ).toEqual([
    { table: 'x', key: 'id', value: 1 },
    { table: 'm', key: 0, value: { a: 1 } },
    { table: 'm', key: expect.anything(), value: 2 },
    { table: '__proto__', key: 'b', value: 1 },
  ])
})

it('everything before the damage is read', async () => {
  const read: unknown[] = []
  const reading = (async () => {
    for await (const value of readElements(await ofJson('[1,{"a":2},oops'), 'a.json')) read.push(value)
  })()
  await expect(reading).rejects.toMatchObject({ reason: 'damaged' })
  expect(read).toEqual([1, { a: 2 }])
})

it.each([
  ['{"a":', 'damaged'],
  ['[1,]', 'damaged'],
  ['nonsense', 'damaged'],
  ['['.repeat(100_000), 'damaged'],
  [`["${'x'.repeat(MAX_RECORD_BYTES + 100_000)}"]`, 'recordTooLarge'],
])('JSON that is broken or too large: %.20s', async (text, reason) => {
  await expect(all(readElements(await ofJson(text), 'a.json'))).rejects.toMatchObject({ reason })
})

it('damaged, too long and too deep lines are reported, and the others are read', async () => {
  const long = `"${'x'.repeat(MAX_RECORD_BYTES)}"`
  const deep = '['.repeat(5000) + ']'.repeat(5000)
  const lines = await all(readLines(await ofJson(`{"a":1}\r\n\n{"a"\n${long}\n${deep}\n{"a":2}`), 'a.json'))
  expect(lines).toEqual([
    { number: 1, value: { a: 1 } },
    { number: 3, value: undefined },
    { number: 4, value: undefined },
    { number: 5, value: undefined },
    { number: 6, value: { a: 2 } },
  ])
})
