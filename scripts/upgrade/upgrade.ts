// Installs another version beside the one that runs, checks it, and changes to it. docs/running/upgrading.md
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../server/config/config.ts'
import { StartError } from '../../server/config/start-error.ts'
import { commandLine, HOME } from '../../server/installation.ts'
import type { RunningVersion } from '../../server/monitoring/running-version.ts'
import { lockFolder } from '../../server/postgres/folder-lock.ts'
import { listenForStop, runCommand } from '../run-command.ts'
import { checkVersion } from './check-version.ts'
import { installVersion, keepEarlierAssets, prepareFolder, removeUnused } from './install-version.ts'
import { askRunning } from './running-version.ts'
import { decline, folderOf, keep, labelOf, readVersions, rootOf, writeVersions } from './versions.mjs'

const READY_MINUTES = 10
const MAX_READY_MINUTES = 24 * 60
/** How long a server may take until it notices and has closed its database, after it has moved its clients to other nodes. */
const STOP_TIMEOUT_MS = 120_000
const CHECK_INTERVAL_MS = 500
/** Its launcher goes back even if a new version crashes right after it was ready. */
const SETTLE_MS = 2500

await runCommand({ back: { type: 'boolean' }, 'ready-within': { type: 'string' } }, async (config, values, what) => {
  const { back, 'ready-within': minutes = READY_MINUTES } = values
  if (!what === !back)
    throw new StartError(
      `Say to which version: ${commandLine('upgrade', 'VERSION')}. --back returns to the one before.`,
    )
  const readySeconds = Math.round(Number(minutes) * 60)
  if (!(readySeconds > 0 && readySeconds <= MAX_READY_MINUTES * 60))
    throw new StartError(`--ready-within is a number of minutes, such as 30, and at most ${MAX_READY_MINUTES}.`)
  // What is installed or checked is cleared away then. Once the running server was told, a stop ends only this command.
  const { signal: stop } = listenForStop()
  // The account that runs Parley has to read it, if it is another one.
  process.umask(0o022)
  await prepareFolder(HOME)
  const release = lock()
  try {
    finishEarlier(await askRunning(config))
    const next = back ? previousVersion() : await installVersion(HOME, what as string, stop)
    const { current } = readVersions(HOME)
    if (next === current) throw new StartError(`Parley ${labelOf(HOME, next)} is the version that is used already.`)
    await keepEarlierAssets(rootOf(HOME, current), rootOf(HOME, next))
    console.log(`Checking ${labelOf(HOME, next)} …`)
    await checkVersion(rootOf(HOME, next), stop)
    await change(config, next, { readySeconds, stop })
  } finally {
    release()
  }
})

function lock() {
  try {
    return lockFolder(folderOf(HOME))
  } catch {
    throw new StartError('Another upgrade is running.')
  }
}

function previousVersion(): string {
  const { previous } = readVersions(HOME)
  if (previous) return previous
  throw new StartError('There is no version to go back to.')
}

/** Records how an upgrade ended that its command did not wait for, if the server could not. */
function finishEarlier(running: RunningVersion | undefined) {
  const { current, next } = readVersions(HOME)
  const isSettled = running && Date.now() - running.startedAt > SETTLE_MS
  if (!next || !isSettled || running.home !== HOME) return
  if (running.name === labelOf(HOME, next)) keep(HOME, next)
  else if (running.upgradeProblem) decline(HOME, next, current)
}

/** Asks the running Parley to change to another version, and waits until it has, or has gone back. @throws StartError */
async function change(
  config: Config,
  next: string,
  { readySeconds, stop }: { readySeconds: number; stop: AbortSignal },
) {
  const { current, previous, next: pending, since } = readVersions(HOME)
  const [from, to] = [labelOf(HOME, current), labelOf(HOME, next)]
  const running = await askRunning(config)
  if (running && running.home !== HOME)
    throw new StartError(`The Parley that runs was started from ${running.home}: run this command of that one.`)
  if (running && !running.isLaunched)
    throw new StartError(`Parley was not started by "${commandLine('start')}", so it can't change by itself.`)
  const namedAt = new Date().toISOString()
  const named = { next, readySeconds, namedAt, since: (pending && since) || namedAt }
  writeVersions(HOME, { current, ...(previous && { previous }), ...named })
  if (!running) {
    console.log(
      `${to} is installed. No Parley answers with these settings, so how it goes can't be seen from here. Its next start changes to ${to}, or returns to ${from}; its log will say so.`,
    )
    return
  }
  console.log(`Changing from ${from} to ${to} …`)
  const timeoutMs = STOP_TIMEOUT_MS + (config.drainSeconds + readySeconds) * 1000
  const now = await untilRestarted(config, running, { timeoutMs, stop })
  if (!now) throw new StartError(`Parley has not restarted since. Its log says why; its next start tries ${to} again.`)
  if (now.name !== to) {
    decline(HOME, next, current)
    throw new StartError(
      `${now.upgradeProblem ?? `Parley ${to} did not start`}. Parley ${now.name} runs again; its log says more.`,
    )
  }
  keep(HOME, next)
  await removeUnused(HOME)
  console.log(`Parley ${to} is running.`)
}

/** @returns undefined if that took too long */
async function untilRestarted(
  config: Config,
  { startedAt }: RunningVersion,
  { timeoutMs, stop }: { timeoutMs: number; stop: AbortSignal },
): Promise<RunningVersion | undefined> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(CHECK_INTERVAL_MS)) {
    if (stop.aborted) throw new StartError('Parley changes without this command, and its log will say how it went.')
    const now = await askRunning(config)
    if (!now || now.startedAt === startedAt) continue
    await sleep(SETTLE_MS)
    if ((await askRunning(config))?.startedAt === now.startedAt) return now
  }
  return undefined
}
