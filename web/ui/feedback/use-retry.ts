import { useEffect, useEffectEvent, useRef } from 'react'

const FIRST_DELAY_MS = 2000
const MAX_DELAY_MS = 30_000

/**
 * Retries automatically while something has failed: with growing delays, and at once when the network is back.
 * @param retry resolves when the attempt is over; must not throw
 * @param state `loading` pauses and keeps the delay; `idle` resets it
 */
export function useRetry(retry: () => unknown, state: 'failed' | 'loading' | 'idle' = 'failed') {
  const delay = useRef(FIRST_DELAY_MS)
  const retryNow = useEffectEvent(retry)
  useEffect(() => {
    if (state === 'idle') delay.current = FIRST_DELAY_MS
    return state === 'failed' ? startRetrying(() => retryNow(), delay) : undefined
  }, [state])
}

/** Calls `act` until stopped, one call at a time, each after a longer delay. Returns how to stop. */
export function startRetrying(act: () => unknown, delay: { current: number }) {
  let timer: ReturnType<typeof setTimeout>
  let isRunning = false
  let isStopped = false
  function schedule() {
    timer = setTimeout(attempt, delay.current * (0.5 + Math.random()))
    delay.current = Math.min(2 * delay.current, MAX_DELAY_MS)
  }
  async function attempt() {
    clearTimeout(timer)
    isRunning = true
    await act()
    isRunning = false
    if (!isStopped) schedule()
  }
  function retryAtOnce() {
    delay.current = FIRST_DELAY_MS
    if (!isRunning) void attempt()
  }
  schedule()
  window.addEventListener('online', retryAtOnce)
  return () => {
    isStopped = true
    clearTimeout(timer)
    window.removeEventListener('online', retryAtOnce)
  }
}
