import { useEffect, useState } from 'react'
import { useAfterClose } from './after-close.ts'
import { inPlaceOf, isLost, keepFocusInPlace } from './focus-in-place.ts'

/**
 * The element that gets the focus when a popup closes: the one that had it before, or `anchor`. If that is gone, or goes as
 * the popup closes, what is beside it gets the focus.
 */
export function useFocusBack(anchor?: HTMLElement) {
  const [origin] = useState(() => anchor ?? document.activeElement)
  useEffect(() => keepFocusInPlace(), [])
  useAfterClose(() => {
    // Everything else that moves the focus has precedence.
    setTimeout(() => {
      if (isLost() && origin instanceof HTMLElement) inPlaceOf(origin)?.focus({ preventScroll: true })
    })
  })
  return () => (origin instanceof HTMLElement && inPlaceOf(origin)) || true
}
