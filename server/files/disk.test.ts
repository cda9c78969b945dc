import { execFile } from 'node:child_process'
import promises, { mkdtemp, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { openDisk } from './disk.ts'

const dir = await mkdtemp(join(tmpdir(), 'parley-disk-'))
const { open } = promises
afterAll(async () => {
  promises.open = open
  syncBuiltinESMExports()
  await rm(dir, { recursive: true })
})

test.skipIf(process.platform === 'win32')('a named pipe in place of a file is not read', async () => {
  const disk = openDisk(dir, 'pipes')
  await disk.write('ab/file', Readable.from([Buffer.from('x')]))
  await promisify(execFile)('mkfifo', [join(dir, 'pipes/ab/pipe')])
  expect(await disk.read('ab/pipe', 1)).toBeUndefined()
})

test('a folder that is removed while its neighbours are listed is left out', async () => {
  const disk = openDisk(dir, 'listed')
  for (let i = 0; i < 50; i++) await disk.write(`${i}/below/file`, Readable.from([Buffer.from('x')]))
  const found: string[] = []
  for await (const { key } of disk.list()) {
    if (found.length === 0)
      for (let i = 0; i < 50; i++)
        if (!key.startsWith(`${i}/`)) await rm(join(dir, 'listed', `${i}`), { recursive: true })
    found.push(key)
  }
  expect(found).toHaveLength(1)
})

test.skipIf(process.platform === 'win32')(
  'the name of each new folder is flushed to disk, like that of the file',
  async () => {
    const flushed: string[] = []
    promises.open = async (...given: Parameters<typeof open>) => {
      const handle = await open(...given)
      const { sync } = handle
      handle.sync = async () => {
        await sync.call(handle)
        flushed.push(relative(dir, String(given[0])) || '.')
      }
      return handle
    }
    syncBuiltinESMExports()
    const disk = openDisk(join(dir, 'files'), 'workspace')
    await disk.write('ab/one', Readable.from([Buffer.from('x')]))
    expect(flushed.sort()).toEqual(['.', 'files', 'files/workspace', 'files/workspace/ab'])
    flushed.length = 0
    await disk.write('ab/two', Readable.from([Buffer.from('x')]))
    expect(flushed).toEqual(['files/workspace/ab'])
  },
)
