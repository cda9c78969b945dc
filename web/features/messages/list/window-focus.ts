import { useEffect, useSyncExternalStore } from 'react'

/** Tells how far a list is read: when its end is on screen and somebody looks, up to the number of its last row. */
export function useSeen(seq: number | undefined, atEnd: boolean, onSeen: (seq: number) => void) {
  const isLooking = useIsLooking()
  useEffect(() => {
    if (seq !== undefined && atEnd && isLooking) onSeen(seq)
  }, [seq, atEnd, isLooking, onSeen])
}

/** Whether somebody looks at the page. */
export const useIsLooking = () =>
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
