import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const READY_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 30_000
const CHECK_INTERVAL_MS = 100
const MAX_OUTPUT_LENGTH = 4000

/** The lines of a start that say where it is, and how to become its owner: it will be gone. */
const GREETING = /^ {2}\S.*\n?/gm

/** What a process needs of its machine. The settings of the workspace are left out, so that it reaches nobody. */
const PASSED_ON = /^(PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SystemRoot|NODE_OPTIONS|NODE_EXTRA_CA_CERTS)$/i

interface Options {
  /** The folder with package.json of the version to start. */
  root: string
  /** Its folder; the workspace is in `data` below it. */
  folder: string
  settings?: NodeJS.ProcessEnv
  /** Ends it. */
  stop: AbortSignal
}

/**
 * Starts Parley for a moment, where only this machine reaches it, and acts while it is ready.
 * @param act gets its address
 * @throws Error with what it printed, if it doesn't get ready, or `act` fails
 */
export async function tryParley<T>(options: Options, act: (address: string) => Promise<T>): Promise<T> {
  const { root, folder, settings, stop } = options
  const file = join(folder, 'ready.json')
  await rm(file, { force: true })
  const machine = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name))
  const child = spawn(process.execPath, [join(root, 'scripts/upgrade/launch.mjs')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(machine),
      ...{ DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error', SIGNUP: 'closed' },
      ...{ PARLEY_READY_FILE: file, PARLEY_SUPERVISED: 'check', ...settings },
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
    return await act(`http://127.0.0.1:${port}`)
  } catch (error) {
    throw new Error(`${(error as Error).message}.\n${output.replace(GREETING, '').trim()}`.trim())
  } finally {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await exit
    clearTimeout(late)
  }
}
