import { useEffect, useState } from 'react'
import { queryClient } from './api.ts'

/** How long a page may fetch before it counts as idle anyway. */
const IDLE_TIMEOUT_MS = 3000
const POLL_INTERVAL_MS = 30

/** Whether the page's first requests are done and rendered. Until then nothing else is fetched. */
export function usePageIdle() {
  const [isPageIdle, setPageIdle] = useState(false)
  useEffect(() => {
    let isMounted = true
    void untilIdle().then(() => isMounted && setPageIdle(true))
    return () => {
      isMounted = false
    }
  }, [])
  return isPageIdle
}

async function untilIdle() {
  const end = Date.now() + IDLE_TIMEOUT_MS
  do {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
    await idle()
  } while (queryClient.isFetching() > 0 && Date.now() < end)
}

/** Resolves when the browser has nothing else to do, or after some seconds. Safari has no requestIdleCallback. */
export const idle = () =>
  new Promise<unknown>((resolve) =>
    'requestIdleCallback' in window
      ? requestIdleCallback(resolve, { timeout: IDLE_TIMEOUT_MS })
      : setTimeout(resolve, POLL_INTERVAL_MS),
  )
