import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { atEnd } from './cleanup.ts'
import { SECRET } from './parley.ts'
import { STATE_TIMEOUT_MS } from './timeouts.ts'

/** An empty folder; removed when the test file ends. */
export const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-backup-test-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a command like `npm run`. @returns its output, and whether it succeeded */
export async function run(command: string, settings: NodeJS.ProcessEnv, ...args: string[]) {
  const env = { ...process.env, REDIS_URL: '', SECRET, ...settings }
  return promisify(execFile)(process.execPath, [`scripts/backup/${command}.ts`, ...args], { env }).then(
    ({ stdout, stderr }) => ({ isDone: true, text: stdout + stderr }),
    ({ stdout, stderr }) => ({ isDone: false, text: stdout + stderr }),
  )
}

/** Runs a command and kills it as soon as a condition is true. */
export async function killAmid(
  command: string,
  settings: NodeJS.ProcessEnv,
  isTime: () => Promise<boolean>,
  ...args: string[]
) {
  const env = { ...process.env, REDIS_URL: '', SECRET, ...settings }
  const child = spawn(process.execPath, [`scripts/backup/${command}.ts`, ...args], { env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await vi.waitUntil(isTime, { timeout: STATE_TIMEOUT_MS, interval: 2 })
  child.kill('SIGKILL')
  await ended
}
