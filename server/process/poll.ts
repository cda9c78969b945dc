import type { Logger } from './logger.ts'

interface Options {
  intervalMs: number
  /** By default the interval. */
  firstDelayMs?: number
  log: Logger
  /** Logged if a run fails. */
  failure: string
}

/**
 * Runs a job repeatedly, one run at a time. Failures are logged and do not stop it.
 * @param job may return the milliseconds until its next run, instead of the interval
 * @returns a function that stops polling and waits for the current run
 */
export function startPolling(
  { intervalMs, firstDelayMs = intervalMs, log, failure }: Options,
  job: () => Promise<number | undefined>,
) {
  let isStopped = false
  let running: Promise<void> | undefined
  let timer = setTimeout(start, firstDelayMs)

  function start() {
    running = run()
  }

  async function run() {
    const delayMs = await job().catch((error) => {
      if (!isStopped) log.warn({ err: error }, failure)
      return undefined
    })
    if (!isStopped) timer = setTimeout(start, delayMs ?? intervalMs)
  }

  return async () => {
    isStopped = true
    clearTimeout(timer)
    await running
  }
}
