const endings: (() => unknown)[] = []

/** What a test file has to end when it is done, the last begun first; each file ends it in setup.ts. */
export const atEnd = (end: () => unknown) => void endings.push(end)

/** Ends all of it, also where one of the ends fails. */
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
