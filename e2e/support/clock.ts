import type { Page } from '@playwright/test'

/** A clock cannot stop in its past, so this is longer than the command takes to reach the page. */
const AHEAD_MS = 10_000

/** Jumps ahead and stops the clock of a page on which it is installed: from then on it moves only by `runFor`. */
export async function stopClock(page: Page) {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + AHEAD_MS)
}
