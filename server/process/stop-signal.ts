/** A terminal, a launcher and a process group may each send a signal for the same request to stop. */
const SAME_REQUEST_MS = 1000

const PARENT_CHECK_INTERVAL_MS = 500

/**
 * `stopped` resolves when the process is asked to stop. Further signals don't kill it, because the database must be closed
 * cleanly, but a later one aborts `hurry`.
 * @param parentPid a process whose exit counts as a signal: npm passes a signal only to the shell between it and this process,
 * which exits without forwarding it
 */
export function stopSignal(parentPid?: number): { stopped: Promise<undefined>; hurry: AbortSignal } {
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>()
  const hurrying = new AbortController()
  let firstAt: number | undefined
  const onSignal = () => {
    firstAt ??= performance.now()
    resolve(undefined)
    if (performance.now() - firstAt > SAME_REQUEST_MS) hurrying.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  if (parentPid !== undefined) {
    const watch = setInterval(() => {
      if (process.ppid === parentPid) return
      clearInterval(watch)
      onSignal()
    }, PARENT_CHECK_INTERVAL_MS)
    watch.unref()
  }
  return { stopped, hurry: hurrying.signal }
}
