import type { Page } from '@playwright/test'
import { followAttempts } from './live.ts'

/**
 * How to advance the clock of a page that reconnects: not while an attempt is on its way, which would time out before a
 * slow server could answer.
 */
export function patientClock(page: Page) {
  let attempts = 0
  followAttempts(
    page,
    () => attempts++,
    () => attempts--,
  )
  return async (ms: number) => {
    if (attempts === 0) await page.clock.runFor(ms)
  }
}
