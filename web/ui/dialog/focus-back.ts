import { useEffect, useRef, useState } from 'react'
import { useAfterClose } from './after-close.ts'
import { inPlaceOf, isLost, keepFocusInPlace, regionAround } from './focus-in-place.ts'

/**
 * When the component, a popup, is gone, gives the focus back to the element that had it before, or to `anchor`. If that is
 * gone, or goes as the popup closes, what is beside it gets the focus, or the region around it. Whatever else takes the focus has precedence, such as
 * the message box of a page that the popup led to; the library would take the focus from it, so its `finalFocus` is false.
 */
export function useFocusBack(anchor?: HTMLElement) {
  const [origin] = useState(() => anchor ?? document.activeElement)
  const isOpen = useRef(false)
  function giveBack() {
    if (!isLost() || !(origin instanceof HTMLElement)) return
    const target = inPlaceOf(origin) ?? regionAround(origin)
    target?.focus({ preventScroll: true })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the origin stays the same
  useEffect(() => {
    keepFocusInPlace()
    isOpen.current = true
    return () => {
      isOpen.current = false
      // By then what was rendered together with the closing has taken the focus. In development React mounts twice.
      queueMicrotask(() => isOpen.current || giveBack())
    }
  }, [])
  // What was rendered later.
  useAfterClose(() => setTimeout(giveBack))
}
