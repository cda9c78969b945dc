import { useEffect, useEffectEvent, useRef } from 'react'

const FIRST_DELAY_MS = 2000
const MAX_DELAY_MS = 30_000

/**
 * While something failed, tries again by itself: after delays that grow, and at once when the network is back.
 */
export function useRetry(retry: () => void, hasFailed = true) {
  const delay = useRef(FIRST_DELAY_MS)
  const again = useEffectEvent(retry)
  useEffect(() => {
    if (!hasFailed) return
    let timer: ReturnType<typeof setTimeout>
    const schedule = () => {
      timer = setTimeout(
        () => {
          again()
          schedule()
        },
        delay.current * (0.5 + Math.random()),
      )
      delay.current = Math.min(2 * delay.current, MAX_DELAY_MS)
    }
    schedule()
    window.addEventListener('online', again)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', again)
    }
  }, [hasFailed])
}
