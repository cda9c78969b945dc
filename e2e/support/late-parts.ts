import { expect, type Page } from '@playwright/test'

/**
 * Waits until a page follows the pointer and the keyboard of a phone, which it does once it is idle: before, it shows no
 * tooltips, and the composer does not keep its height during a press.
 */
export async function untilLateParts(page: Page) {
  const device = await page.context().newCDPSession(page)
  await expect
    .poll(async () => {
      const { result } = await device.send('Runtime.evaluate', { expression: 'document' })
      if (!result.objectId) return []
      const { listeners } = await device.send('DOMDebugger.getEventListeners', { objectId: result.objectId })
      return listeners.map(({ type }) => type)
    })
    .toEqual(expect.arrayContaining(['tip', 'pointercancel']))
  await device.detach()
}
