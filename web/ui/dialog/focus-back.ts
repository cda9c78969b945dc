import { useLayoutEffect, useRef, useState } from 'react'
import { afterTwoFrames, inPlaceOf, isLost } from './focus-in-place.ts'

/**
 * The element that gets the focus when a popup closes: the one that had it before, or `anchor`. If that is gone, or goes as
 * the popup closes, what is beside it gets the focus.
 */
export function useFocusBack(anchor?: HTMLElement) {
  const [origin] = useState(() => anchor ?? document.activeElement)
  const isOpen = useRef(false)
  useLayoutEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
      afterTwoFrames(() => {
        if (!isOpen.current && isLost() && origin instanceof HTMLElement)
          inPlaceOf(origin)?.focus({ preventScroll: true })
      })
    }
  }, [origin])
  return () => (origin instanceof HTMLElement && inPlaceOf(origin)) || true
}
