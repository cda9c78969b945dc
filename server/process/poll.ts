import type { Logger } from './logger.ts'

interface Options {
  intervalMs: number
  /** Defaults to the interval. */
  firstDelayMs?: number
  log: Logger
  /** Logged if a run fails. */
  failure: string
}

/** Stops polling and waits for the current run. */
export interface StopPolling {
  (): Promise<void>
  /** Runs the job as soon as a run can start that begins after this call. */
  runSoon: () => void
}

/** Minimum pause between runs, however often `runSoon` is called. */
const MIN_INTERVAL_MS = 20

/**
 * Runs a job repeatedly, one run at a time. Failures are logged and don't stop it.
 * @param job may return the milliseconds until its next run, instead of the interval
 */
export function startPolling(
  { intervalMs, firstDelayMs = intervalMs, log, failure }: Options,
  job: () => Promise<number | undefined>,
): StopPolling {
  let isStopped = false
  let running: Promise<void> | undefined
  let isRunning = false
  let isDue = false
  let timer = setTimeout(start, firstDelayMs)

  function start() {
    running = run()
  }

  async function run() {
    isRunning = true
    isDue = false
    const delayMs = await job().catch((error) => {
      if (!isStopped) log.warn({ err: error }, failure)
      return undefined
    })
    isRunning = false
    if (!isStopped) timer = setTimeout(start, isDue ? MIN_INTERVAL_MS : (delayMs ?? intervalMs))
  }

  function runSoon() {
    if (isDue || isStopped) return
    isDue = true
    if (isRunning) return
    clearTimeout(timer)
    timer = setTimeout(start, MIN_INTERVAL_MS)
  }

  const stop = async () => {
    isStopped = true
    clearTimeout(timer)
    await running
  }
  return Object.assign(stop, { runSoon })
}
