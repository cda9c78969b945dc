import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { home, launcher, PROGRAM_EXTENSION, RESTART_EXIT_CODE, root, serve, startChild } from '../run-node.mjs'
import { decline, keep, labelOf, readVersions, rootOf } from './versions.mjs'

const CHECK_INTERVAL_MS = 100
/** A version that crashes right after it was ready is no better than one that crashes before. */
const PROBATION_MS = 1000
/** The built-in database is closed in that time. */
const STOP_TIMEOUT_MS = 30_000

/**
 * Runs the next version, and keeps this process as its parent until it stops. Returns only if that version was not ready in time
 * and was stopped: then the caller goes on with the one before.
 * @param {{ next: string, since: string }} named
 */
export async function tryNext({ next, since }) {
  const { current, readySeconds = 0 } = readVersions(home)
  const [from, to] = [labelOf(home, current), labelOf(home, next)]
  console.log(`Upgrading Parley from ${from} to ${to} …`)
  const server = startServer(next)
  const outcome = await server.untilReady(readySeconds)
  if (typeof outcome === 'object') {
    record(() => keep(home, next))
    console.log(`Upgraded Parley from ${from} to ${to}; migrations: ${outcome.migrations.join(', ') || 'none'}.`)
    const code = await server.exit
    if (code === RESTART_EXIT_CODE) await serve([launcher])
    process.exit(process.exitCode ?? code)
  }
  const problem = `Parley ${to} ${outcome}`
  if (!server.isStopping()) console.error(`${problem}. Going back to ${from}.`)
  await server.stop()
  // The next start tries it again.
  if (server.isStopping()) process.exit(await server.exit)
  if (await isDatabaseUsable(since)) record(() => decline(home, next, current))
  process.env['PARLEY_UPGRADE_PROBLEM'] = problem
}

/** @param {string} next */
function startServer(next) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-upgrade-'))
  const file = join(folder, 'ready.json')
  const env = { ...process.env, PARLEY_READY_FILE: file, PARLEY_SUPERVISED: 'try' }
  const child = startChild([join(rootOf(home, next), 'scripts/upgrade/launch.mjs')], env, process.cwd())
  let isRunning = true
  void child.exit.then(() => {
    isRunning = false
  })

  /** @param {number} seconds @returns {Promise<{ migrations: string[] } | string>} what it did instead of being ready */
  async function untilReady(seconds) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(CHECK_INTERVAL_MS)) {
      const ready = existsSync(file) && JSON.parse(readFileSync(file, 'utf8'))
      if (ready) await sleep(PROBATION_MS)
      // It may restart already, for a version that was named meanwhile.
      if (!isRunning && !(ready && (await child.exit) === RESTART_EXIT_CODE))
        return `stopped with code ${await child.exit} at its start`
      if (child.isStopping()) return 'was stopped'
      if (!ready) continue
      rmSync(folder, { recursive: true, force: true })
      return ready
    }
    return `was not ready within ${seconds} seconds`
  }

  async function stop() {
    if (isRunning) child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await child.exit
    clearTimeout(late)
    rmSync(folder, { recursive: true, force: true })
  }
  return { untilReady, stop, exit: child.exit, isStopping: child.isStopping }
}

/**
 * Makes the database usable for this version again, if possible. Otherwise the next start tries the next version again.
 * @param {string} since
 */
async function isDatabaseUsable(since) {
  const program = join(root, `scripts/upgrade/go-back${PROGRAM_EXTENSION}`)
  const child = startChild([program, since], process.env, process.cwd())
  const code = await child.exit
  if (child.isStopping()) process.exit(code)
  return code === 0
}

/** @param {() => void} write */
function record(write) {
  try {
    write()
  } catch {
    // The installation belongs to another account: the command `upgrade`, which runs as that one, does it.
  }
}
