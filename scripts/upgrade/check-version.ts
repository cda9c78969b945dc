import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../../server/config/start-error.ts'

const READY_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 30_000
const CHECK_INTERVAL_MS = 100
const MAX_OUTPUT_LENGTH = 4000

/** What a process needs of its machine. The settings of the workspace are left out. */
const PASSED_ON = /^(PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SystemRoot|NODE_OPTIONS|NODE_EXTRA_CA_CERTS)$/i

/**
 * Starts a version in an empty folder, with a database of its own, and looks at its page.
 * @param root its folder with package.json
 * @param stop clears away what was started
 * @throws StartError with what it said, if it doesn't work on this machine
 */
export async function checkVersion(root: string, stop: AbortSignal) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-check-'))
  const file = join(folder, 'ready.json')
  const machine = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name))
  const child = spawn(process.execPath, [join(root, 'scripts/upgrade/launch.mjs')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(machine),
      ...{ DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error', SIGNUP: 'closed' },
      ...{ PARLEY_READY_FILE: file, PARLEY_SUPERVISED: 'check' },
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-MAX_OUTPUT_LENGTH)
    })
  const exit = once(child, 'exit')
  try {
    for (const end = Date.now() + READY_TIMEOUT_MS; !existsSync(file); await sleep(CHECK_INTERVAL_MS)) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error('it stopped instead of starting')
      if (stop.aborted) throw new Error('the check was stopped')
      if (Date.now() > end) throw new Error(`it was not ready within ${READY_TIMEOUT_MS / 1000} seconds`)
    }
    const { port } = JSON.parse(await readFile(file, 'utf8'))
    await checkPage(`http://127.0.0.1:${port}`)
  } catch (error) {
    throw new StartError(`The new version doesn't work here: ${(error as Error).message}.\n${output.trim()}`.trim())
  } finally {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await exit
    clearTimeout(late)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** @throws unless the page and all that it names are there */
async function checkPage(address: string) {
  const page = await read(address, '/')
  const parts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  if (parts.length === 0) throw new Error('its page is empty')
  for (const path of ['/readyz', ...parts]) await read(address, path)
}

async function read(address: string, path: string): Promise<string> {
  const response = await fetch(address + path)
  if (!response.ok) throw new Error(`${path} answers ${response.status}`)
  return response.text()
}
