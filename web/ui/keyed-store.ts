import { useSyncExternalStore } from 'react'
import { createWatchers } from './watchers.ts'

/** Values by key, kept outside React, so that a virtualized row finds its own again after unmounting. */
export function keyedStore<T>() {
  const values = new Map<string, T>()
  const { watch, notify } = createWatchers()
  return {
    get: (key: string) => values.get(key),
    keys: () => [...values.keys()],
    watch,
    /** Removes the entry if there is no value. */
    set(key: string, value?: T) {
      if (value === undefined) values.delete(key)
      else values.set(key, value)
      notify()
    },
    /** The value of a key, as a hook. Renders again only when that value changes. */
    useAt: (key: string) => useSyncExternalStore(watch, () => values.get(key)),
  }
}
