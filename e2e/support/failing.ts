import type { Page, Route } from '@playwright/test'

/**
 * Fails matching requests until 'Try again' is clicked: the page also retries them automatically, such as on its first
 * connection.
 */
export async function failUntilRetried(page: Page, url: string, fail: (route: Route) => Promise<void>) {
  const watch = () =>
    document.addEventListener(
      'click',
      ({ target }) => {
        const isRetry = (target as Element).closest('button')?.textContent === 'Try again'
        if (isRetry) Object.assign(window, { isRetried: true })
      },
      true,
    )
  await page.addInitScript(watch)
  await page.evaluate(watch)
  await page.route(url, async (route) => {
    const isRetried = await page.evaluate(() => 'isRetried' in window).catch(() => false)
    await (isRetried ? route.continue() : fail(route))
  })
}
