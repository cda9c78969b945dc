import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { create } from 'tar'
import { expect, it } from 'vitest'
import { newFolder } from '../../test/support/import-archive.ts'

const run = promisify(execFile)

it.skipIf(process.platform === 'win32')('a tar that can’t be unpacked fails, and leaves nothing behind', async () => {
  const folder = await newFolder()
  const workDir = join(folder, 'work')
  await mkdir(workDir)
  for (const name of ['a', 'b']) await writeFile(join(folder, name), Buffer.alloc(3_000_000, name))
  await create({ file: join(folder, 'archive.tar'), cwd: folder }, ['a', 'b'])
  const program = `
    const { openArchive } = await import(${JSON.stringify(new URL('open-archive.ts', import.meta.url).href)})
    await openArchive('archive.tar', { workDir: 'work' }).then(() => console.log('opened'), (error) => console.log(error.reason))`
  // A process may be limited to files of a size, which is as if the disk was full.
  const { stdout } = await run(
    'sh',
    ['-c', 'ulimit -f 1000; exec "$0" --input-type=module -e "$1"', process.execPath, program],
    { cwd: folder },
  )
  expect(stdout.trim()).toBe('damaged')
  expect(await readdir(workDir)).toEqual([])
})
