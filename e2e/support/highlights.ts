import { expect, type Page } from '@playwright/test'

/** Records from now on which messages are highlighted, because a slow test may look too late. Returns how to expect one. */
export async function recordHighlights(page: Page) {
  const record = () => {
    const seen: string[] = []
    Object.assign(window, { highlights: seen })
    const look = () => {
      for (const row of document.querySelectorAll('article[aria-current=true]')) seen.push(row.textContent ?? '')
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributeFilter: ['aria-current'] })
  }
  await page.addInitScript(record)
  await page.evaluate(record)
  return (text: string) =>
    expect
      .poll(() => page.evaluate(() => (window as unknown as { highlights: string[] }).highlights))
      .toContainEqual(expect.stringContaining(text))
}
