/** What was begun and has to be ended, the last first; also when the run is interrupted while something begins. */
export function openCleanup() {
  const undo: (() => Promise<unknown>)[] = []
  let isOver = false
  return {
    /** @throws Error if the end has come already; `end` was called then */
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
