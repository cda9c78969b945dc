// What a server and the launcher that started it (scripts/upgrade/launch.mjs) tell each other.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'

const CHECK_INTERVAL_MS = 1000
/** The launchers read it, too. */
const RESTART_EXIT_CODE = 75

const Versions = z.object({ next: z.optional(z.string()), namedAt: z.optional(z.string()) })

/**
 * Stops this server also when the command `upgrade` has named another version that is to be tried, for the launcher to start that.
 * A server without a launcher isn't stopped, nor one that the command checks. Call it before settings are read into the environment.
 * @param home the folder of the installation
 * @param asked resolves when this process is asked to stop, also meanwhile: then it isn't restarted
 */
export function stopForNextVersion(home: string, asked: Promise<undefined>) {
  const environment = { ...process.env }
  if (!environment['PARLEY_LAUNCHER'] || environment['PARLEY_SUPERVISED'] === 'check')
    return { stopped: asked, restartIfDue() {} }
  let isRestart = false
  const isDue = untilNextVersion(home, environment).then(() => {
    isRestart = true
    return undefined
  })
  void asked.then(() => {
    isRestart = false
  })
  return {
    stopped: Promise.race([asked, isDue]),
    /** Call it when everything is closed. */
    restartIfDue() {
      if (isRestart) restart(environment)
    },
  }
}

/** When the command `upgrade` named this version (ISO 8601); empty unless it is being tried. */
export const whenNamed = () => process.env['PARLEY_NAMED_AT'] ?? ''

/** A version that had been named when the launcher started this one is this one, or was declined. */
async function untilNextVersion(home: string, { PARLEY_NAMED_AT: known }: NodeJS.ProcessEnv) {
  for (;;) {
    await sleep(CHECK_INTERVAL_MS, undefined, { ref: false })
    const { next, namedAt } = await readVersions(home)
    if (next && namedAt !== known) return
  }
}

async function readVersions(home: string): Promise<z.output<typeof Versions>> {
  try {
    return Versions.parse(JSON.parse(await readFile(join(home, 'versions/versions.json'), 'utf8')))
  } catch {
    // There is none before the first upgrade, and a damaged one names none.
    return {}
  }
}

/** Tells a launcher that tries this version, and waits for that. */
export async function reportReady(about: { port: number; migrations: string[] }) {
  const file = process.env['PARLEY_READY_FILE']
  if (!file) return
  await writeFile(`${file}.new`, JSON.stringify(about))
  await rename(`${file}.new`, file)
}

/**
 * Replaces this process by the launcher if possible, so that service managers and terminals see the same one; otherwise tells its
 * parent by the exit code.
 */
function restart(environment: NodeJS.ProcessEnv): never {
  const { PARLEY_LAUNCHER: launcher, PARLEY_SUPERVISED: isSupervised, PARLEY_UPGRADE_PROBLEM: _, ...rest } = environment
  if (launcher && !isSupervised && process.execve)
    process.execve(process.execPath, [process.execPath, launcher], { ...rest, PARLEY_LAUNCHER: launcher })
  return process.exit(RESTART_EXIT_CODE)
}
