import { expect, type Page } from '@playwright/test'

/**
 * Records the texts of elements that match a CSS selector from now on, because a slow test may miss transient ones. Returns a
 * function that expects one.
 */
export async function recordTexts(page: Page, selector: string) {
  const record = (selector: string) => {
    const seen: string[] = []
    Object.assign(window, { [`recorded ${selector}`]: seen })
    const look = () => {
      for (const { textContent } of document.querySelectorAll(selector)) seen.push(textContent ?? '')
    }
    const options = { subtree: true, childList: true, characterData: true, attributeFilter: ['aria-current'] }
    new MutationObserver(look).observe(document, options)
  }
  await page.addInitScript(record, selector)
  await page.evaluate(record, selector)
  return (text: string) =>
    expect.poll(() => textsRecorded(page, selector)).toContainEqual(expect.stringContaining(text))
}

/** All texts recorded so far. */
export const textsRecorded = (page: Page, selector: string) =>
  page.evaluate((key) => (window as unknown as Record<string, string[]>)[key] ?? [], `recorded ${selector}`)

export const recordHighlights = (page: Page) => recordTexts(page, 'article[aria-current=true]')
