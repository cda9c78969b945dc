import { useEffect, useState } from 'react'
import { queryClient } from './api.ts'

/** Milliseconds after which a page is taken to be at rest, whatever it still waits for; and between two looks at it. */
const IDLE_TIMEOUT_MS = 3000
const POLL_INTERVAL_MS = 30

/** Whether all that the page asked for first has come and is on screen: before that, nothing else is fetched. */
export function usePageIdle() {
  const [isPageIdle, setPageIdle] = useState(false)
  useEffect(() => {
    let wanted = true
    void untilIdle().then(() => wanted && setPageIdle(true))
    return () => {
      wanted = false
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

/** Some browsers do not tell when they have nothing to do. */
const idle = () =>
  new Promise<unknown>((resolve) =>
    'requestIdleCallback' in window
      ? requestIdleCallback(resolve, { timeout: IDLE_TIMEOUT_MS })
      : setTimeout(resolve, POLL_INTERVAL_MS),
  )
