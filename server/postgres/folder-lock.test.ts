import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atEnd } from '../test/support/cleanup.ts'
import { lockFolder } from './folder-lock.ts'

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-lock-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Another process that has the lock, also after garbage was collected; in a container of its own if `unshare` makes one. */
async function lockElsewhere(folder: string, unshare: string[]) {
  const program = new URL('./folder-lock.ts', import.meta.url).href
  const script = `(await import('${program}')).lockFolder(${JSON.stringify(folder)}); gc(); console.log('locked'); setInterval(() => {}, 1000)`
  const [command = '', ...args] = [...unshare, process.execPath, '--expose-gc', '--input-type=module', '-e', script]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  atEnd(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

const container = ['unshare', '--mount', '--pid', '--ipc', '--net', '--uts', '--fork', '--kill-child']
const canUnshare = process.platform === 'linux' && process.getuid?.() === 0

test.each([
  ['process', [], true],
  ['container', container, canUnshare],
])('a folder that another %s has locked is free again once that is killed', async (_, unshare, canRun) => {
  if (!canRun) return console.log('Skipped: only root can make containers')
  const folder = await newFolder()
  const other = await lockElsewhere(folder, unshare)
  expect(() => lockFolder(folder)).toThrow(`Another Parley is running on ${folder}, perhaps in a container`)
  other.kill('SIGKILL')
  await once(other, 'exit')
  await expect.poll(() => lockFolder(folder)).toBeTypeOf('function')
  expect(await readdir(folder)).toEqual(['parley.lock'])
})

test('a released lock can be taken again, and a folder that cannot be written to has none', async () => {
  const folder = await newFolder()
  const unlock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow('Another Parley')
  unlock()
  unlock()
  lockFolder(folder)()
  expect(lockFolder('/proc')).toBeTypeOf('function')
})
