import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { removeOldFiles } from '../../scripts/old-files.ts'

const DAY_MS = 24 * 3600 * 1000

let root: string
let folder: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-old-files-'))
})
afterAll(() => rm(root, { recursive: true }))
beforeEach(async () => {
  folder = await mkdtemp(join(root, 'assets-'))
})

/** Simulates a build on the given day: writes these files with their compressed versions, then removes old ones. */
async function build(names: string[], day: number) {
  for (const name of names) for (const end of ['', '.br', '.gz']) await writeFile(join(folder, name + end), name)
  await removeOldFiles(folder, new Set(names), `${folder}.json`, day * DAY_MS)
}
const plain = async () => (await readdir(folder)).filter((name) => !/\.(br|gz)$/.test(name)).sort()

test('files of earlier builds are kept for 14 days after their replacement, however old they are', async () => {
  await build(['app-1.js', 'lib-1.js'], 0)
  await build(['app-2.js', 'lib-1.js'], 100)
  expect(await plain()).toEqual(['app-1.js', 'app-2.js', 'lib-1.js'])
  await build(['app-3.js', 'lib-1.js'], 110)
  expect(await plain()).toEqual(['app-1.js', 'app-2.js', 'app-3.js', 'lib-1.js'])
  await build(['app-4.js', 'lib-1.js'], 115)
  expect(await plain()).toEqual(['app-2.js', 'app-3.js', 'app-4.js', 'lib-1.js'])
  expect(await readdir(folder)).toHaveLength(4 * 3)
})

test('at most 50 MB of earlier builds are kept, the latest first', async () => {
  for (const [day, name] of ['one.js', 'two.js', 'three.js'].entries()) {
    await build([name], day)
    await truncate(join(folder, name), 30_000_000)
  }
  await build(['four.js'], 3)
  expect(await plain()).toEqual(['four.js', 'three.js'])
})

test('a file that is built again does not count as old', async () => {
  await build(['app-1.js'], 0)
  await build(['app-2.js'], 1)
  await build(['app-1.js'], 2)
  await build(['app-2.js'], 20)
  expect(await plain()).toEqual(['app-1.js', 'app-2.js'])
})
