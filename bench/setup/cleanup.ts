/** Registers cleanups and runs them in reverse order, even if the run is interrupted during a start. */
function openCleanup() {
  const undo: (() => Promise<unknown>)[] = []
  let isOver = false
  return {
    /** @throws Error, after calling `end`, if the run has ended already */
    async add(end: () => Promise<unknown>) {
      if (!isOver) return void undo.push(end)
      await end()
      throw new Error('The run has ended')
    },
    async run() {
      isOver = true
      for (let last = undo.pop(); last; last = undo.pop()) await last().catch(console.error)
    },
  }
}
export type Cleanup = ReturnType<typeof openCleanup>

/** Runs an action, and its cleanups after it ends, fails or is interrupted. */
export async function withCleanup(act: (cleanup: Cleanup) => Promise<void>) {
  const cleanup = openCleanup()
  const stopped = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => reject(new Error('Stopped.')))
  })
  try {
    await Promise.race([stopped, act(cleanup)])
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}
