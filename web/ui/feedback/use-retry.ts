import { useEffect, useEffectEvent, useRef } from 'react'
import { retryDelay } from '#contract/retry-delay'

const RETRY = { firstMs: 2000, maxMs: 30_000 }

/**
 * Retries automatically while something has failed: with growing delays, and at once when the network is back.
 * @param retry resolves when the attempt is over; must not throw
 * @param state `loading` pauses and keeps the delay; `idle` resets it
 */
export function useRetry(retry: () => unknown, state: 'failed' | 'loading' | 'idle' = 'failed') {
  const failures = useRef(0)
  const retryNow = useEffectEvent(retry)
  useEffect(() => {
    if (state === 'idle') failures.current = 0
    return state === 'failed' ? startRetrying(() => retryNow(), failures) : undefined
  }, [state])
}

/**
 * Calls `act` until stopped, one call at a time, each after a longer delay. Returns a function
 * that stops it.
 * @param failures the number of previous failures
 */
export function startRetrying(act: () => unknown, failures = { current: 0 }) {
  let timer: ReturnType<typeof setTimeout>
  let isRunning = false
  let isStopped = false
  function schedule() {
    timer = setTimeout(attempt, retryDelay(++failures.current, RETRY))
  }
  async function attempt() {
    clearTimeout(timer)
    isRunning = true
    await act()
    isRunning = false
    if (!isStopped) schedule()
  }
  function retryAtOnce() {
    failures.current = 0
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
