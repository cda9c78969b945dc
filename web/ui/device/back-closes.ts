import { useEffect, useEffectEvent } from 'react'
import { isTouch, wideScreen } from './media.ts'

// On a phone, the Back button closes overlays before it leaves the page. Each overlay has its own history entry, with
// the same URL and router state, marked with its number as `over`.

interface Overlay {
  over: number
  close: () => void
}

/** The open overlays, topmost last. */
const overlays: Overlay[] = []
let count = 0
let leaving: ReturnType<typeof setTimeout> | undefined

const currentEntry = () => (history.state as { over?: number } | null)?.over

/** While the component is mounted, the Back button closes it. Only on phones; elsewhere Back navigates as usual. */
export function useBackCloses(onBack: () => void) {
  const close = useEffectEvent(onBack)
  useEffect(() => {
    if (wideScreen().matches && !isTouch()) return
    if (count === 0) window.addEventListener('popstate', onPop)
    // An overlay that closed just now left its entry, which this one reuses.
    const left = currentEntry()
    const isReusable = left !== undefined && !overlays.some(({ over }) => over === left)
    const over = isReusable ? left : ++count + Date.now()
    if (!isReusable) history.pushState({ ...history.state, over }, '')
    const overlay = { over, close: () => close() }
    overlays.push(overlay)
    return () => {
      overlays.splice(overlays.indexOf(overlay), 1)
      // Once for overlays that close together: each step back looks for the next entry itself.
      clearTimeout(leaving)
      leaving = setTimeout(leaveUnusedEntry)
    }
  }, [])
}

/** An overlay that closed without the Back button leaves an unused entry. */
function leaveUnusedEntry() {
  const over = currentEntry()
  if (over !== undefined && !overlays.some((overlay) => overlay.over === over)) history.back()
}

function onPop() {
  const over = currentEntry()
  const index = overlays.findIndex((overlay) => overlay.over === over)
  // An unused entry is passed on the way to that of an open overlay, or to the page's own.
  if (index >= 0 || over === undefined) for (const { close } of overlays.slice(index + 1).reverse()) close()
  leaveUnusedEntry()
}
