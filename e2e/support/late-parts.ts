import { expect, type Page } from '@playwright/test'

/**
 * Waits until a page handles a phone's pointer and keyboard, which it does once it is idle: before that, it shows no tooltips,
 * and the composer doesn't keep its height during a press.
 */
export const untilLateParts = (page: Page) => untilListening(page, 'document', 'tip', 'pointercancel')

/** Waits until a page has listeners for events of its window or document. */
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
 * Waits until a page has prefetched a part, and the texts that belong to all of them, for a test in which it can no longer fetch
 * them.
 */
export const untilPreloaded = (page: Page, part: string) =>
  expect
    .poll(() =>
      page.evaluate(
        async (patterns) => {
          const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
          const files = patterns.map((pattern) => loaded.find((name) => new RegExp(pattern).test(name)))
          // Resolves to the same modules once all their imports are loaded.
          await Promise.all(files.map((file) => file && import(file)))
          return files.every((file) => file !== undefined)
        },
        [`/assets/${part}-[^/]*js$`, '/assets/texts-\\w+-rest-[^/]*js$'],
      ),
    )
    .toBe(true)
