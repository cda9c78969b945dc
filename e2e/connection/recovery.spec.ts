import type { Page } from '@playwright/test'
import { composer, createChannel, expect, message, say, sendMessages, test, uniqueName } from '../support/fixtures.ts'
import { keepNothing } from '../support/settings.ts'

// Failed loads are retried without a page reload, automatically and by a button.

const unreachable = (page: Page) => page.getByRole('heading', { name: "Can't reach Parley" })

/** Answers matching requests with 503 until they are repaired. */
async function breakCalls(page: Page, address: RegExp) {
  let isBroken = true
  await page.route(address, (route) => (isBroken ? route.fulfill({ status: 503, json: {} }) : route.continue()))
  return {
    mend: () => {
      isBroken = false
    },
  }
}

test('a page that failed to load, and a part of it, continue by themselves when they can', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  const server = await breakCalls(ada, /\/api\/auth\/get-session/)
  await ada.reload()
  await expect(unreachable(ada)).toBeVisible()
  server.mend()
  await expect(composer(ada)).toBeVisible({ timeout: 90_000 })

  const chunk = await breakCalls(ada, /assets\/threads-page/)
  await ada.getByRole('link', { name: 'Threads', exact: true }).click()
  await expect(ada.getByRole('button', { name: 'Try again' })).toBeVisible()
  chunk.mend()
  await expect(ada.getByRole('heading', { name: 'Threads', exact: true })).toBeVisible({ timeout: 90_000 })
})

test('a token and older messages that failed to load are retried by themselves', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await createChannel(ada, uniqueName('long'))
  await sendMessages(
    ada,
    Array.from({ length: 80 }, (_, n) => `line ${n}.`),
  )
  const tokens = await breakCalls(ada, /\/api\/auth\/token/)
  const server = await breakCalls(ada, /[?&]before=/)
  await ada.reload()
  await expect(unreachable(ada)).toBeVisible()
  tokens.mend()
  await expect(message(ada, 'line 79.')).toBeVisible({ timeout: 90_000 })
  const failure = ada.getByText('Failed to load messages.')
  const scrollUp = async () => {
    await message(ada, 'line').last().hover()
    await ada.mouse.wheel(0, -3000)
  }
  await expect(async () => {
    await scrollUp()
    await expect(failure).toBeVisible({ timeout: 500 })
  }).toPass()
  server.mend()
  await expect(failure).toHaveCount(0, { timeout: 90_000 })
  await expect(async () => {
    await scrollUp()
    await expect(message(ada, 'line 0.')).toBeVisible({ timeout: 500 })
  }).toPass()
})

/** Simulates a new version on the server: its page names another script, and a chunk of this version is gone. */
async function upgrade(page: Page, part: RegExp) {
  await page.clock.install()
  // The chunk with the update banner.
  const watched = page.waitForResponse(/assets\/preloaded/)
  await page.reload()
  await expect(composer(page)).toBeVisible()
  await watched
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await page.clock.fastForward('02:00')
  let isGone = true
  await page.route(part, (route) => (isGone ? route.fulfill({ status: 404, json: {} }) : route.continue()))
  await page.route(
    ({ pathname }) => pathname === '/',
    async (route) => {
      if (route.request().isNavigationRequest()) return route.continue()
      const html = await (await route.fetch()).text()
      return route.fulfill({
        contentType: 'text/html',
        body: html.replace(/\/assets\/app-[^"]+/, '/assets/app-new.js'),
      })
    },
  )
  page.on('framenavigated', () => {
    isGone = false
  })
}

const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in window)

test('after an upgrade a page with typed text asks for a reload, and keeps the text', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('typed'))
  await say(ada, 'first')
  await expect(message(ada, 'first')).toBeVisible()
  await upgrade(ada, /assets\/settings-dialog/)
  await composer(ada).fill('half a thought')
  await ada.getByRole('button', { name: 'Settings' }).click()
  await expect(ada.getByText('A new version of Parley is available.')).toBeVisible()
  expect(await isSamePage(ada)).toBe(true)
  await ada.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => isSamePage(ada).catch(() => true)).toBe(false)
  await expect(composer(ada)).toHaveValue('half a thought')
})
