import { useEffectEvent, useLayoutEffect, useRef } from 'react'

/** By then a closing popup has unmounted and returned the focus. */
export const afterTwoFrames = (act: () => void) => requestAnimationFrame(() => requestAnimationFrame(act))

/** Calls `act` once the calling popup has unmounted and returned the focus, however late it was rendered. */
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
