import type { Page } from '@playwright/test'
import { composer, expect, test, userOn } from '../support/fixtures.ts'
import { signInAs, signOut, untilOfflineReady, welcome } from '../support/signing-out.ts'

test('a tab that failed to end a session does not end the next one after another tab succeeded', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const { username } = await userOn(ada)
  const other = await ada.context().newPage()
  await other.goto(ada.url())
  await untilOfflineReady(ada)
  await untilOfflineReady(other)
  await ada.route('**/api/auth/sign-out', (route) => route.fulfill({ status: 503, json: {} }))
  await signOut(ada)
  const ending = (page: Page) => page.getByText('Your session ends once')
  for (const page of [ada, other]) await expect(welcome(page)).toBeVisible()
  await signInAs(other, username)
  await expect(composer(other)).toBeVisible()
  await expect(ending(ada)).toHaveCount(0)
  await ada.unroute('**/api/auth/sign-out')
  await ada.evaluate(() => dispatchEvent(new Event('online')))
  await other.reload()
  await expect(composer(other)).toBeVisible()
})

test('signing out offline with full storage also signs out the other tab, and signs nobody in again', async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  const context = ada.context()
  const other = await context.newPage()
  await other.goto(ada.url())
  await untilOfflineReady(ada)
  await untilOfflineReady(other)
  await ada.evaluate(() => {
    for (let size = 2 ** 22; size >= 1; size /= 2) {
      try {
        for (let nth = 0; nth < 3; nth++) localStorage.setItem(`full ${size} ${nth}`, 'x'.repeat(size))
      } catch {}
    }
  })
  const complaint = other.waitForEvent('console', (it) => it.text().includes('stores nothing for this page'))
  await composer(other).fill('a thought that finds no room')
  await complaint
  network.cut()
  await context.setOffline(true)
  await signOut(ada)
  await expect(ada.getByRole('dialog')).toContainText("Another tab has text that isn't saved anywhere else.")
  await ada.getByRole('button', { name: 'Discard and sign out' }).click()
  for (const page of [ada, other]) await expect(welcome(page)).toBeVisible()
  for (const page of [ada, other]) await page.close()
  network.restore()
  await context.setOffline(false)
  const next = await context.newPage()
  await next.goto('/')
  await expect(welcome(next)).toBeVisible()
})

test('signing out asks about a file that another tab is uploading', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const other = await ada.context().newPage()
  await other.goto(ada.url())
  await untilOfflineReady(ada)
  await untilOfflineReady(other)
  await other.route('**/api/files/upload', () => {})
  await other
    .getByLabel('Files to attach')
    .setInputFiles([{ name: 'slow.txt', mimeType: 'text/plain', buffer: Buffer.from('bytes') }])
  await expect(other.getByRole('progressbar')).toBeVisible()
  await signOut(ada)
  await expect(ada.getByRole('dialog')).toContainText("Another tab has text that isn't saved anywhere else.")
})

test('a user who signs in again while the browser still clears its storage stays signed in', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const { username } = await userOn(ada)
  await untilOfflineReady(ada)
  await ada.evaluate(() => {
    const { keys } = CacheStorage.prototype
    CacheStorage.prototype.keys = async function () {
      await new Promise((resolve) => addEventListener('clear', resolve, { once: true }))
      return keys.call(this)
    }
  })
  await signOut(ada)
  await signInAs(ada, username)
  await expect(composer(ada)).toBeVisible()
  await ada.evaluate(() => window.dispatchEvent(new Event('clear')))
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
})
