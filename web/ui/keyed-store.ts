import { useSyncExternalStore } from 'react'
import { createWatchers } from './watchers.ts'

/** A value per key, kept outside of the components: a row that is scrolled away and comes back finds its own again. */
export function keyedStore<T>() {
  const held = new Map<string, T>()
  const { watch, notify } = createWatchers()
  return {
    get: (key: string) => held.get(key),
    keys: () => [...held.keys()],
    watch,
    /** Without a value nothing stands there any more. */
    set(key: string, value?: T) {
      if (value === undefined) held.delete(key)
      else held.set(key, value)
      notify()
    },
    /** What stands under a key; only who looks at that one is drawn anew when it changes. */
    useAt: (key: string) => useSyncExternalStore(watch, () => held.get(key)),
  }
}
