/**
 * The subscribers of a value kept outside of React, for `useSyncExternalStore`.
 * @param start runs when the first one subscribes; returns a function to run after the last one has unsubscribed
 */
export function createWatchers(start?: () => () => void) {
  const watchers = new Set<() => void>()
  let stop: (() => void) | undefined
  return {
    watch(watcher: () => void) {
      if (watchers.size === 0) stop = start?.()
      watchers.add(watcher)
      return () => {
        watchers.delete(watcher)
        if (watchers.size === 0) stop?.()
      }
    },
    notify() {
      for (const watcher of watchers) watcher()
    },
  }
}
