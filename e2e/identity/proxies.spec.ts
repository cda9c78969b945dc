import type { Page } from '@playwright/test'
import { composer, createChannel, expect, message, say, showChannel, test, uniqueName } from '../support/fixtures.ts'
import { keepNothing } from '../support/settings.ts'

// While the server is down, a proxy in front of it responds with its own error pages.

/** Answers all API requests with an HTML page, until the returned function is called. */
async function answerWithPages(page: Page, status: number) {
  let isThere = true
  await page.route('**/api/**', (route) =>
    isThere ? route.fulfill({ status, contentType: 'text/html', body: '<html>Not Parley</html>' }) : route.continue(),
  )
  return {
    end: () => {
      isThere = false
    },
  }
}

test('while a proxy answers for the server, messages wait, no channel is treated as deleted, and nobody is signed out', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const [here, name] = [uniqueName('here'), uniqueName('deploy')]
  await createChannel(ada, name)
  const hereId = await createChannel(ada, here)
  const proxy = await answerWithPages(ada, 404)
  const text = 'written while it was away'
  await say(ada, text)
  await expect(message(ada, text)).toContainText('Waiting to send')
  await ada.getByRole('link', { name: new RegExp(`^${name}`) }).click()
  await expect(ada.getByRole('heading', { name })).toBeVisible()
  proxy.end()
  await expect(composer(ada)).toBeVisible({ timeout: 90_000 })
  await showChannel(ada, hereId, here)
  await expect(message(ada, text)).toBeVisible()
  await expect(message(ada, text)).not.toContainText('Waiting to send', { timeout: 60_000 })

  // Like a captive portal; the page is loaded during this, and nothing is cached on the device.
  await keepNothing(ada)
  const portal = await answerWithPages(ada, 200)
  await ada.reload()
  await expect(ada.getByRole('heading', { name: "Can't reach Parley" })).toBeVisible()
  portal.end()
  await expect(composer(ada)).toBeVisible({ timeout: 90_000 })
})
