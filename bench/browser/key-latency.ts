import type { Page } from '@playwright/test'
import { quantile } from './profile.ts'

interface Key {
  /** Milliseconds until the page started to handle a key, and until the result was painted. */
  handled: number
  painted: number
}

declare global {
  interface Window {
    keys: Key[]
  }
}

/** Measures every key pressed in the page from now on. */
export const watchKeys = (page: Page) =>
  page.evaluate(() => {
    const isWatched = window.keys !== undefined
    window.keys = []
    if (isWatched) return
    window.addEventListener(
      'keydown',
      ({ timeStamp }) => {
        const handled = performance.now() - timeStamp
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => window.keys.push({ handled, painted: performance.now() - timeStamp })
          port2.postMessage(undefined)
        })
      },
      true,
    )
  })

export const measuredKeys = (page: Page) => page.evaluate(() => window.keys)

/** p50 / p95 / max. */
export const spread = (values: number[]) =>
  `${[0.5, 0.95, 1].map((share) => quantile(values, share).toFixed(0)).join(' / ')} ms`
