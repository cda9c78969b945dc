import { useEffectEvent, useLayoutEffect, useRef } from 'react'

/** By then a popup that closes now is gone, and has returned the focus. */
export const afterTwoFrames = (act: () => void) => requestAnimationFrame(() => requestAnimationFrame(act))

/** Calls `act` once the component, a popup, is gone and has returned the focus, however late it was rendered. */
export function useAfterClose(act: () => void) {
  const isOpen = useRef(false)
  const onClosed = useEffectEvent(act)
  useLayoutEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
      // In development React mounts each component twice.
      afterTwoFrames(() => isOpen.current || onClosed())
    }
  }, [])
}
