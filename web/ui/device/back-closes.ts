import { useEffect, useEffectEvent } from 'react'
import { isTouch, wideScreen } from './media.ts'

// On a phone, the Back button closes overlays before it leaves the page. Each overlay has its own history entry, with
// the same URL and router state, marked with its number as `over`.

interface Overlay {
  /** Undefined while the browser is leaving another entry. */
  over: number | undefined
  close: () => void
}

/** The open overlays, topmost last. */
const overlays: Overlay[] = []
let count = 0
let leaving: ReturnType<typeof setTimeout> | undefined
/** The unused entry that the browser is about to leave; going back is asynchronous. */
let leftEntry: number | undefined

const currentEntry = () => (history.state as { over?: number } | null)?.over

/** While the component is mounted, the Back button closes it. Only on phones; elsewhere Back navigates as usual. */
export function useBackCloses(onBack: () => void) {
  const close = useEffectEvent(onBack)
  useEffect(() => (wideScreen().matches && !isTouch() ? undefined : openOverlay(() => close())), [])
}

/** Registers an open overlay that the Back button closes. Returns a function to call when it has closed. */
export function openOverlay(close: () => void) {
  if (count === 0) window.addEventListener('popstate', onPop)
  const overlay: Overlay = { over: undefined, close }
  if (!isLeaving()) overlay.over = enter()
  overlays.push(overlay)
  return () => {
    overlays.splice(overlays.indexOf(overlay), 1)
    // Once for overlays that close together: each step back leaves the next unused entry itself.
    clearTimeout(leaving)
    leaving = setTimeout(leaveUnusedEntry)
  }
}

const isLeaving = () => leftEntry !== undefined && currentEntry() === leftEntry

const isUsed = (entry: number) => overlays.some(({ over }) => over === entry)

/** The history entry of a new overlay: reuses the entry of a just-closed overlay, or adds one. */
function enter() {
  const left = currentEntry()
  if (left !== undefined && !isUsed(left)) return left
  const over = ++count + Date.now()
  history.pushState({ ...history.state, over }, '')
  return over
}

/** Goes back from the unused entry of an overlay that closed without the Back button. */
function leaveUnusedEntry() {
  const over = currentEntry()
  if (over === undefined || isUsed(over) || isLeaving()) return
  leftEntry = over
  history.back()
}

function onPop() {
  leftEntry = undefined
  const over = currentEntry()
  const entered = overlays.filter((overlay) => overlay.over !== undefined)
  const index = entered.findIndex((overlay) => overlay.over === over)
  // Skips unused entries on the way to that of an open overlay, or to the page's own.
  if (index >= 0 || over === undefined) for (const { close } of entered.slice(index + 1).reverse()) close()
  // For overlays that opened in the meantime.
  for (const overlay of overlays) overlay.over ??= enter()
  leaveUnusedEntry()
}
