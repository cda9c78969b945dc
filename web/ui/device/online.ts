import { useSyncExternalStore } from 'react'
import { createWatchers } from '../watchers.ts'

const { watch, notify } = createWatchers(() => {
  window.addEventListener('online', notify)
  window.addEventListener('offline', notify)
  return () => {
    window.removeEventListener('online', notify)
    window.removeEventListener('offline', notify)
  }
})

/** Whether the device has a network. If it has none, nothing can be sent; if it has one, the server may still be away. */
export const useOnline = () => useSyncExternalStore(watch, () => navigator.onLine)
