import { useEffect, useEffectEvent, useRef } from 'react'

const FIRST_DELAY_MS = 2000
const MAX_DELAY_MS = 30_000

/**
 * While something failed, tries again by itself: after delays that grow, and at once when the network is back.
 * @param retry resolves when that try is over, and does not throw
 * @param state of what is tried; `loading` keeps the delays, and when it is `idle` they begin anew
 */
export function useRetry(retry: () => unknown, state: 'failed' | 'loading' | 'idle' = 'failed') {
  const delay = useRef(FIRST_DELAY_MS)
  const again = useEffectEvent(retry)
  useEffect(() => {
    if (state === 'idle') delay.current = FIRST_DELAY_MS
    return state === 'failed' ? startRetrying(() => again(), delay) : undefined
  }, [state])
}

/** Tries again and again, one try at a time, until the answered function is called. `delay` is that before the next one. */
export function startRetrying(act: () => unknown, delay: { current: number }) {
  let timer: ReturnType<typeof setTimeout>
  let isTrying = false
  let isOver = false
  function schedule() {
    timer = setTimeout(attempt, delay.current * (0.5 + Math.random()))
    delay.current = Math.min(2 * delay.current, MAX_DELAY_MS)
  }
  async function attempt() {
    clearTimeout(timer)
    isTrying = true
    await act()
    isTrying = false
    if (!isOver) schedule()
  }
  function hurry() {
    delay.current = FIRST_DELAY_MS
    if (!isTrying) void attempt()
  }
  schedule()
  window.addEventListener('online', hurry)
  return () => {
    isOver = true
    clearTimeout(timer)
    window.removeEventListener('online', hurry)
  }
}
