/**
 * Resolves when somebody asks this process to stop. From the call on no such signal ends the process by itself, however
 * many come: a terminal, a launcher and whoever ends a whole group may each send one, and there is a database to close.
 */
export function stopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(undefined))
  })
}
