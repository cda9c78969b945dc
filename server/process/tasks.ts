/**
 * Runs a task again and again. Answers how to stop: what runs is waited for, because it uses what is closed after it.
 * @param firstDelayMs milliseconds until the first run
 * @param task answers the milliseconds until its next run; it handles its own errors
 */
export function startTask(firstDelayMs: number, task: () => Promise<number>) {
  let stopped = false
  let running: Promise<void> | undefined
  let timer = setTimeout(run, firstDelayMs)
  function run() {
    running = task().then((delayMs) => {
      if (!stopped) timer = setTimeout(run, delayMs)
    })
  }
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
