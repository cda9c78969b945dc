import { useEffect, useEffectEvent } from 'react'
import { isTouch, wideScreen } from './media.ts'

// On a phone, Back closes what lies over the page before it leaves the page. Each such thing has an entry of its own in
// the history, at the same address and with the same router state, marked `over`.

interface Holder {
  over: number
  close: () => void
}

/** What lies over the page, the topmost last. */
const holders: Holder[] = []
let count = 0

const overNow = () => (history.state as { over?: number } | null)?.over

/** Has Back close a part while it stands; where the screen is large, or a mouse is there, Back stays what it is. */
export function useBackCloses(onBack: () => void) {
  const close = useEffectEvent(onBack)
  useEffect(() => {
    if (wideScreen().matches && !isTouch()) return
    if (count === 0) window.addEventListener('popstate', onPop)
    // What closed in the same moment leaves its entry to this one.
    const left = overNow()
    const isFree = left !== undefined && !holders.some(({ over }) => over === left)
    const over = isFree ? left : ++count + Date.now()
    if (!isFree) history.pushState({ ...history.state, over }, '')
    const holder = { over, close: () => close() }
    holders.push(holder)
    return () => {
      holders.splice(holders.indexOf(holder), 1)
      setTimeout(leaveFree)
    }
  }, [])
}

/** Closed by something else than Back, it leaves an entry that nobody holds. */
function leaveFree() {
  const over = overNow()
  if (over !== undefined && !holders.some((it) => it.over === over)) history.back()
}

function onPop() {
  const over = overNow()
  const at = holders.findIndex((it) => it.over === over)
  for (const { close } of holders.slice(at + 1).reverse()) close()
  leaveFree()
}
