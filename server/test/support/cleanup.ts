const endings: (() => unknown)[] = []

/** Registers a cleanup for the end of the test file; cleanups run in reverse order. */
export const atEnd = (end: () => unknown) => void endings.push(end)

/** Runs all cleanups, even if one fails. */
export async function endAll() {
  const failed: unknown[] = []
  // Removed first: if one hangs until its timeout, the next file of this worker does not inherit the others.
  while (endings.length > 0)
    for (const end of endings.splice(0).reverse())
      try {
        await end()
      } catch (error) {
        failed.push(error)
      }
  if (failed.length > 0) throw failed[0]
}
