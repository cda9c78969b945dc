import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { retryDelay } from '#contract/retry-delay'
import { listenProblem, StartError } from '../config/start-error.ts'
import { createDistributor } from './distributor.ts'
import type { Handle } from './handle.ts'
import type { ToPrimary, ToProcess } from './ipc.ts'

interface Options {
  count: number
  /** Path of the program that each process runs. */
  program: string
  port: number
  host: string
  databaseUrl: string
  secret: string
  /** How long a process may take to move its clients to other nodes. */
  drainSeconds: number
  log: (line: string) => void
}

export interface Processes {
  port: number
  drain: {
    /** Stops all processes, and resolves when they have exited. @param hurry aborted if there is no time left */
    run(hurry: AbortSignal): Promise<void>
  }
  /** Stops the processes that are still running. */
  close(): Promise<void>
}

interface Slot {
  number: number
  child?: ChildProcess | undefined
  /** Consecutive starts after which it did not stay up. */
  failures: number
  restart?: NodeJS.Timeout
}

const RESTART = { firstMs: 500, maxMs: 30_000 }
/** The exit of a process that was up for longer doesn't count as a failed start. */
const STABLE_MS = 60_000
/** In addition to `drainSeconds`. A process normally needs less. */
const STOP_TIMEOUT_MS = 15_000

/**
 * Starts processes that share a port, and restarts those that exit. This process accepts connections and distributes them;
 * the others communicate over the bus.
 * @throws StartError if one of them cannot start, or the port is taken
 */
export async function startProcesses(options: Options): Promise<Processes> {
  const { count, program, host, databaseUrl, secret, drainSeconds, log } = options
  const folder = await mkdtemp(join(tmpdir(), 'parley-')).catch((error) => {
    throw new StartError(
      `Several processes need a folder for temporary files, but ${tmpdir()} can't be used (${error.code}). Set TMPDIR to another one.`,
    )
  })
  const distributor = createDistributor(log)
  const slots = Array.from({ length: count }, (_, i): Slot => ({ number: i + 1, failures: 0 }))
  let state: 'starting' | 'serving' | 'stopping' = 'starting'

  const send = ({ child }: Slot, command: ToProcess) => child?.connected && child.send(command)
  const running = () => slots.filter(({ child }) => child)

  /** Resolves when the process is serving, rejects if it exits first. */
  function launch(slot: Slot): Promise<void> {
    const { number } = slot
    const child = fork(program)
    slot.child = child
    const startedAt = performance.now()
    let reason: string | undefined
    child.on('error', ({ message }) => log(`Process ${number}: ${message}`))
    send(slot, { kind: 'start', number, count, folder, databaseUrl, secret })
    return new Promise((resolve, reject) => {
      child.on('message', (report: ToPrimary, handle?: object) => {
        if (report.kind === 'ready') {
          distributor.add(number, child)
          resolve()
        } else if (report.kind === 'stopping') distributor.close(number)
        else if (report.kind === 'failed') reason = report.reason
        else if (handle) distributor.handOver(report.to, handle as Handle, report.bytes)
      })
      child.once('exit', (code, signal) => {
        slot.child = undefined
        distributor.remove(number)
        const end = reason ?? `it ended with ${signal ?? `exit code ${code}`}`
        reject(new StartError(reason ?? `Process ${number} could not start: ${end}.`))
        if (performance.now() - startedAt > STABLE_MS) slot.failures = 0
        if (state === 'serving') launchAgain(slot, end)
      })
    })
  }

  function launchAgain(slot: Slot, end: string) {
    const delayMs = retryDelay(++slot.failures, RESTART)
    log(`Restarting process ${slot.number} in ${(delayMs / 1000).toFixed(1)} s: ${end}`)
    // If it fails, its exit handler restarts it.
    slot.restart = setTimeout(() => launch(slot).catch(() => {}), delayMs)
  }

  async function run(hurry: AbortSignal) {
    state = 'stopping'
    for (const { restart } of slots) clearTimeout(restart)
    const open = running()
    const ended = open.map(({ child }) => new Promise((resolve) => child?.once('exit', resolve)))
    for (const slot of open) send(slot, { kind: 'stop', total: open.length })
    const tellHurry = () => {
      for (const slot of open) send(slot, { kind: 'hurry' })
    }
    hurry.addEventListener('abort', tellHurry)
    if (hurry.aborted) tellHurry()
    const timer = setTimeout(killAll, drainSeconds * 1000 + STOP_TIMEOUT_MS)
    await Promise.all(ended)
    clearTimeout(timer)
    hurry.removeEventListener('abort', tellHurry)
    distributor.stopListening()
  }

  function killAll() {
    for (const { child } of running()) child?.kill('SIGKILL')
  }

  async function close() {
    await run(AbortSignal.abort())
    await rm(folder, { recursive: true, force: true })
  }

  try {
    await Promise.all(slots.map(launch))
    const port = await distributor.listen(options.port, host).catch((error) => {
      throw listenProblem(error, options)
    })
    state = 'serving'
    return { port, drain: { run }, close }
  } catch (error) {
    await close()
    throw error
  }
}
