import { useEffect, useRef, useState } from 'react'
import { useAfterClose } from './after-close.ts'
import { inPlaceOf, isLost, keepFocusInPlace, regionAround } from './focus-in-place.ts'

interface Opener {
  element: Element | null
  /** Of the popup that was open before, which the element may be in. */
  outer: Opener | undefined
}

/** Of the popups that are open, in order. */
const openers: Opener[] = []

/**
 * When the component, a popup, is gone, gives the focus back to the element that had it before, or to `anchor`. If that is
 * gone, or goes as the popup closes, what is beside it gets the focus, or what opened the popup that it was in, or the region
 * around. Whatever else takes the focus has precedence, such as the message box of a page that the popup led to; the library
 * would take the focus from it, so its `finalFocus` is false.
 */
export function useFocusBack(anchor?: HTMLElement) {
  const [opener] = useState((): Opener => ({ element: anchor ?? document.activeElement, outer: openers.at(-1) }))
  const isOpen = useRef(false)
  useEffect(() => {
    keepFocusInPlace()
    isOpen.current = true
    openers.push(opener)
    return () => {
      isOpen.current = false
      openers.splice(openers.indexOf(opener), 1)
      // By then what was rendered together with the closing has taken the focus. In development React mounts twice.
      queueMicrotask(() => isOpen.current || giveBack(opener))
    }
  }, [opener])
  // What was rendered later.
  useAfterClose(() => setTimeout(() => giveBack(opener)))
}

function giveBack(opener: Opener) {
  if (isLost()) targetOf(opener)?.focus({ preventScroll: true })
}

function targetOf({ element, outer }: Opener): HTMLElement | undefined {
  if (!(element instanceof HTMLElement)) return undefined
  return inPlaceOf(element) ?? (outer && targetOf(outer)) ?? regionAround(element)
}
