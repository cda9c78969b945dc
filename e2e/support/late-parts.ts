import { expect, type Page } from '@playwright/test'

/**
 * Waits until a page follows the pointer and the keyboard of a phone, which it does once it is idle: before, it shows no
 * tooltips, and the composer does not keep its height during a press.
 */
export const untilLateParts = (page: Page) => untilListening(page, 'document', 'tip', 'pointercancel')

/** Waits until a page listens to events of its window or document. */
export async function untilListening(page: Page, target: 'window' | 'document', ...events: string[]) {
  const device = await page.context().newCDPSession(page)
  await expect
    .poll(async () => {
      const { result } = await device.send('Runtime.evaluate', { expression: target })
      if (!result.objectId) return []
      const { listeners } = await device.send('DOMDebugger.getEventListeners', { objectId: result.objectId })
      return listeners.map(({ type }) => type)
    })
    .toEqual(expect.arrayContaining(events))
  await device.detach()
}

/**
 * Waits until a page has a part that it fetches in advance, and the texts that come with all of them, for a test in which it
 * cannot fetch them any more.
 */
export const untilPreloaded = (page: Page, part: string) =>
  expect
    .poll(() =>
      page.evaluate(
        async (patterns) => {
          const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
          const files = patterns.map((pattern) => loaded.find((name) => new RegExp(pattern).test(name)))
          // The same modules, once all that they import is there.
          await Promise.all(files.map((file) => file && import(file)))
          return files.every((file) => file !== undefined)
        },
        [`/assets/${part}-[^/]*js$`, '/assets/texts-\\w+-rest-[^/]*js$'],
      ),
    )
    .toBe(true)
