import { useEffect, useSyncExternalStore } from 'react'

/** Reports the last `seq` of a list as seen when its end is on screen and the page has the focus. */
export function useReadToEnd(seq: number | undefined, atEnd: boolean, onSeen: (seq: number) => void) {
  const isPageFocused = useIsPageFocused()
  useEffect(() => {
    if (seq !== undefined && atEnd && isPageFocused) onSeen(seq)
  }, [seq, atEnd, isPageFocused, onSeen])
}

/** Whether the page is visible and has the focus. */
export const useIsPageFocused = () =>
  useSyncExternalStore(watch, () => document.visibilityState === 'visible' && document.hasFocus())

function watch(watcher: () => void) {
  window.addEventListener('focus', watcher)
  window.addEventListener('blur', watcher)
  document.addEventListener('visibilitychange', watcher)
  return () => {
    window.removeEventListener('focus', watcher)
    window.removeEventListener('blur', watcher)
    document.removeEventListener('visibilitychange', watcher)
  }
}
