/**
 * Resolves when the process is asked to stop. From then on, further signals do not end it: a terminal, a launcher and a
 * process group may each send one, and the database must be closed properly.
 */
export function stopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(undefined))
  })
}
