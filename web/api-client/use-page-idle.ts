import { useEffect, useState } from 'react'
import { queryClient } from './api.ts'

/** Milliseconds after which a page is taken to be at rest, whatever it still waits for; and between two looks at it. */
const PATIENCE = 3000
const LOOK = 30

/** Whether all that the page asked for first has come and is on screen: before that, nothing else is fetched. */
export function useAtRest() {
  const [isAtRest, setAtRest] = useState(false)
  useEffect(() => {
    let wanted = true
    void rest().then(() => wanted && setAtRest(true))
    return () => {
      wanted = false
    }
  }, [])
  return isAtRest
}

async function rest() {
  const end = Date.now() + PATIENCE
  do {
    await new Promise((resolve) => setTimeout(resolve, LOOK))
    await idle()
  } while (queryClient.isFetching() > 0 && Date.now() < end)
}

/** Some browsers do not tell when they have nothing to do. */
const idle = () =>
  new Promise<unknown>((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: PATIENCE }) : setTimeout(resolve, LOOK),
  )
