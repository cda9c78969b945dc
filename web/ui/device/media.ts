import { useSyncExternalStore } from 'react'

/** Whether the main pointer is a finger. */
export const isTouch = () => matchMedia('(pointer: coarse)').matches

/** Matches where the sidebar has room beside the page: `--breakpoint-wide` of `base.css`. */
export const wideScreen = () => matchMedia('(min-width: 720px)')

/** Matches where a side panel has room beside the conversation: `--breakpoint-beside` of `base.css`. */
export const roomBeside = () => matchMedia('(min-width: 960px)')

function watchWideScreen(onChange: () => void) {
  const wide = wideScreen()
  wide.addEventListener('change', onChange)
  return () => wide.removeEventListener('change', onChange)
}
export const useWideScreen = () => useSyncExternalStore(watchWideScreen, () => wideScreen().matches)
