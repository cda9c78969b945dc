/** A terminal, a launcher and a process group may each send a signal for the same request. */
const SAME_REQUEST_MS = 1000

const PARENT_CHECK_INTERVAL_MS = 500

/**
 * `stopped` resolves when the process is asked to stop. From then on, further signals do not end it, because the database
 * must be closed properly; but `hurry` is aborted if it is asked again later.
 * @param parentPid asks to stop by ending: npm passes a signal to the shell between it and this process, which ends without
 * a word
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
