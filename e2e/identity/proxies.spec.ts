import type { Page } from '@playwright/test'
import { composer, createChannel, expect, message, say, showChannel, test, uniqueName } from '../support/fixtures.ts'
import { keepNothing } from '../support/settings.ts'

// While the server is down, a proxy in front of it answers with error pages of its own.

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

test('a captive portal signs nobody out', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  const captive = await answerWithPages(ada, 200)
  await ada.reload()
  await expect(ada.getByRole('heading', { name: "Can't reach Parley" })).toBeVisible()
  captive.end()
  await expect(composer(ada)).toBeVisible({ timeout: 90_000 })
})

test('while a proxy cannot reach the server, messages wait, and no channel is treated as deleted', async ({
  person,
}) => {
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
})
