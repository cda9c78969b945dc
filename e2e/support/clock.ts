import type { Page } from '@playwright/test'
import { followAttempts } from './live.ts'

/** A clock cannot stop in its past, so this is longer than the command takes to reach the page. */
const AHEAD_MS = 10_000

/** Jumps ahead and stops the clock of a page on which it is installed: from then on it moves only by `runFor`. */
export async function stopClock(page: Page) {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + AHEAD_MS)
}

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
