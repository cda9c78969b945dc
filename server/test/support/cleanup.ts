const endings: (() => unknown)[] = []

/** Registers a cleanup for the end of the test file; cleanups run in reverse order. */
export const atEnd = (end: () => unknown) => void endings.push(end)

/** Runs all cleanups, even if one fails. */
export async function endAll() {
  const failed: unknown[] = []
  for (let end = endings.pop(); end; end = endings.pop())
    try {
      await end()
    } catch (error) {
      failed.push(error)
    }
  if (failed.length > 0) throw failed[0]
}
