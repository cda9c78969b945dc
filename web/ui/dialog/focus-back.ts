import { useEffect, useRef, useState } from 'react'
import { useAfterClose } from './after-close.ts'
import { inPlaceOf, isLost, keepFocusInPlace, regionAround } from './focus-in-place.ts'

interface Opener {
  element: Element | null
  /** The opener of the popup below, which may contain the element. */
  outer: Opener | undefined
}

/** The openers of all open popups, in order. */
const openers: Opener[] = []

/**
 * When the calling popup unmounts, returns the focus to the element that had it before, or to `anchor`. If that is gone, falls
 * back to what is beside it, to the opener of the popup that contained it, or to the surrounding region. Anything else that
 * takes the focus has precedence, such as the composer of a page that the popup led to; the library would take the focus from
 * it, so its `finalFocus` is false.
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
      // Deferred, so that anything rendered in the same commit can take the focus. In development React mounts twice.
      queueMicrotask(() => isOpen.current || giveBack(opener))
    }
  }, [opener])
  // Again, after anything that is rendered later.
  useAfterClose(() => setTimeout(() => giveBack(opener)))
}

function giveBack(opener: Opener) {
  if (isLost()) targetOf(opener)?.focus({ preventScroll: true })
}

function targetOf({ element, outer }: Opener): HTMLElement | undefined {
  if (!(element instanceof HTMLElement)) return undefined
  return inPlaceOf(element) ?? (outer && targetOf(outer)) ?? regionAround(element)
}
