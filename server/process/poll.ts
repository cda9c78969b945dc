import type { Logger } from './logger.ts'

interface Options {
  intervalMs: number
  /** Until the first run; the interval unless given. */
  firstDelayMs?: number
  log: Logger
  /** What the log says when a run fails. */
  failure: string
}

/**
 * Runs a job again and again, one run at a time. A run that fails is logged, and the next one comes all the same.
 * @param job may return the milliseconds until its next run, in place of the interval
 * @returns stops polling and waits for the run under way, which uses what is closed afterwards
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
