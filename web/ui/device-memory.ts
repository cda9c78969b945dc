// localStorage, where there is one: a browser may keep it from a page, and it may be full.

let complained = false

function attempt<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(localStorage)
  } catch (error) {
    if (!complained) console.error('This device keeps nothing for this page:', error)
    complained = true
    return undefined
  }
}

/** Whether it has worked so far. */
export const isMemoryThere = () => !complained

/** What is kept there; nothing also where nothing can be. */
export const recall = (key: string) => attempt((storage) => storage.getItem(key)) ?? undefined

/** Without a value, nothing is kept there any more. Answers whether it worked. */
export function keep(key: string, value?: string): boolean {
  return (
    attempt((storage) => {
      if (value === undefined) storage.removeItem(key)
      else storage.setItem(key, value)
      return true
    }) ?? false
  )
}

export const keysFrom = (prefix: string) =>
  attempt((storage) => Object.keys(storage).filter((key) => key.startsWith(prefix))) ?? []

/** What was kept as JSON; nothing where it was spoiled. */
export function recallJson(key: string): unknown {
  try {
    return JSON.parse(recall(key) ?? 'null')
  } catch (error) {
    console.error(`What this device kept as ${key} cannot be read:`, error)
    return null
  }
}
