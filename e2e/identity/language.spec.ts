import type { BrowserContext, Page, Request } from '@playwright/test'
import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  openTab,
  say,
  sendMessages,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { openSettings } from '../support/settings.ts'
import { settled } from '../support/settled.ts'

/** English with accents and padding, for tests. */
const PSEUDO = 'en-XA'

const choose = (page: Page, language: string | null) => callApi(page, 'PATCH', '/api/users/me', { language })
const choice = (page: Page) => page.getByRole('dialog').getByRole('combobox')
const isPseudo = (page: Page) => page.evaluate(() => /\[[^\]<]+~\]/.test(document.body.outerHTML))
const shows = (page: Page, language: 'pseudo' | 'English') =>
  expect.poll(() => isPseudo(page)).toBe(language === 'pseudo')
/** The text of the message there, without its surroundings. */
const textInTheMiddle = (page: Page) =>
  page.evaluate(
    () =>
      document
        .elementFromPoint(640, 400)
        ?.closest('article')
        ?.textContent?.match(/line \d+/)?.[0],
  )
const typed = (page: Page) => page.locator('main textarea')

/** The API requests started by the pages of a browser, and the pending ones. */
function callsOf(context: BrowserContext) {
  const begun: string[] = []
  const pending = new Set<Request>()
  context.on('request', (request) => {
    if (!request.url().includes('/api/')) return
    begun.push(request.url())
    pending.add(request)
  })
  context.on('requestfinished', (request) => pending.delete(request))
  context.on('requestfailed', (request) => pending.delete(request))
  return { begun, pending }
}

test('a language reaches all my tabs and devices at once, and nothing that is open or typed is lost', {
  tag: '@long',
}, async ({ person, browser }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('languages'))
  await sendMessages(
    ada,
    Array.from({ length: 80 }, (_, index) => `line ${index}`),
  )
  const device = await browser.newContext({ baseURL: new URL(ada.url()).origin })
  const calls = [ada.context(), device].map(callsOf)
  const tab = await openTab(ada)
  const { username } = await userOn(ada)
  const origin = new URL(ada.url()).origin
  const data = { username, password: 'correct horse' }
  await device.request.post('/api/auth/sign-in/username', { data, headers: { origin } })
  const phone = await device.newPage()
  await phone.goto(ada.url())
  await expect(message(phone, 'line 79')).toBeVisible()

  await composer(tab).pressSequentially('half a sen')
  await openSettings(ada, 'Appearance')
  await expect(choice(ada)).toHaveText('Use browser language')
  await phone.mouse.move(640, 300)
  await phone.mouse.wheel(0, -600)
  await expect(message(phone, 'line 79')).not.toBeInViewport()
  // The last requests of a page, once it is idle and connected.
  for (const { begun, pending } of calls) {
    for (const last of ['/api/threads', '/api/sync'])
      await expect.poll(() => begun.some((url) => url.includes(last))).toBe(true)
    await expect.poll(() => pending.size).toBe(0)
  }
  for (const page of [tab, phone]) await settled(page)
  const shown = await textInTheMiddle(phone)
  for (const { begun } of calls) begun.length = 0

  await choose(ada, PSEUDO)
  for (const page of [ada, tab, phone]) await shows(page, 'pseudo')
  // The field keeps the focus and the caret position.
  await expect(typed(tab)).toBeFocused()
  await tab.keyboard.type('tence')
  await expect(typed(tab)).toHaveValue('half a sentence')
  expect(shown).toMatch(/line \d+/)
  await expect.poll(() => textInTheMiddle(phone)).toBe(shown)
  // Nothing was refetched or reconnected.
  expect(calls.flatMap(({ begun }) => begun)).toEqual([])
  await expect(ada.getByRole('dialog')).toBeVisible()

  // When chosen in the settings, they stay open at the same place.
  await choice(ada).click()
  await ada.getByRole('option', { name: 'English', exact: true }).click()
  for (const page of [ada, tab, phone]) await shows(page, 'English')
  await expect(choice(ada)).toHaveText('English')
  await expect(choice(ada)).toBeFocused()
  await expect(ada.getByRole('region', { name: 'Appearance' })).toBeVisible()
  await tab.keyboard.press('Enter')
  await expect(message(tab, 'half a sentence')).toHaveCount(1)
  await device.close()
})

test('a language chosen in the settings reaches my other tab at once, keeps what is typed, and stays on the device', {
  tag: '@long',
}, async ({ person, browser }) => {
  const ada = await person('Ada Lovelace')
  const { username } = await userOn(ada)
  await createChannel(ada, uniqueName('languages'))
  // User-written text has its own direction and no language.
  await say(ada, 'שלום')
  const row = message(ada, 'שלום')
  await expect(row.locator('[dir=auto]').filter({ hasText: 'שלום' }).last()).toHaveCSS('direction', 'rtl')
  await expect(row.locator('[lang]')).toHaveCount(0)
  const tab = await openTab(ada)
  await composer(tab).fill('half a sen')
  await openSettings(ada, 'Appearance')
  await expect(choice(ada)).toHaveText('Use browser language')
  await choice(ada).click()
  await ada.getByRole('option', { name: 'Deutsch', exact: true }).click()
  await expect(choice(ada)).toHaveText('Deutsch')
  await expect(tab.getByRole('button', { name: 'Senden', exact: true })).toBeVisible()
  await expect(typed(tab)).toHaveValue('half a sen')
  await typed(tab).press('Enter')
  await expect(message(tab, 'half a sen')).toHaveCount(1)
  await tab.close()
  await ada.reload()
  await expect(ada.getByPlaceholder('Nachricht')).toBeVisible()
  const { origin } = new URL(ada.url())
  await ada.request.post('/api/auth/sign-out', { data: {}, headers: { origin } })
  await ada.goto('/sign-in')
  await expect(ada.getByRole('heading', { name: 'Willkommen zurück' })).toBeVisible()
  await expect(ada.locator('html')).toHaveAttribute('dir', 'ltr')

  // Another browser shows its own language first, then the account's.
  const device = await browser.newContext({ baseURL: origin, locale: 'fr-CA' })
  const phone = await device.newPage()
  await phone.goto('/sign-in')
  await expect(phone.locator('html')).toHaveAttribute('lang', 'fr-CA')
  const data = { username, password: 'correct horse' }
  await device.request.post('/api/auth/sign-in/username', { data, headers: { origin } })
  await phone.goto('/')
  await expect(phone.getByPlaceholder('Nachricht')).toBeVisible()
  await expect(phone.locator('html')).toHaveAttribute('lang', 'de')
  await device.close()
})

test('what is open follows the language, and so does a device that was offline; a change that fails is reported', {
  tag: '@long',
}, async ({ person, network, browser, server }) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  await openSettings(ada, 'Appearance')
  await ada.context().setOffline(true)
  await choice(ada).click()
  await ada.getByRole('option', { name: 'English', exact: true }).click()
  await expect(ada.getByRole('alert').filter({ hasText: 'Couldn’t change language' })).toBeVisible()
  await expect(choice(ada)).toHaveText('Use browser language')
  await ada.context().setOffline(false)
  await choice(ada).click()
  await ada.getByRole('option', { name: 'English', exact: true }).click()
  await expect(choice(ada)).toHaveText('English')
  await expect(ada.getByText('Couldn’t change language')).toHaveCount(0)
  await ada.keyboard.press('Escape')

  await ada.getByRole('button', { name: 'Add emoji' }).click()
  const search = ada.locator('em-emoji-picker').getByRole('searchbox')
  await expect(search).toHaveAttribute('placeholder', 'Search')
  await choose(ada, PSEUDO)
  await expect(search).toHaveAttribute('placeholder', /~\]$/)
  await ada.keyboard.press('Escape')
  await expect(ada.locator('section[aria-live][aria-label*="alt+T"]')).toHaveAttribute('aria-label', /^\[.*~\]/)
  await choose(ada, 'en')
  await shows(ada, 'English')

  const { username } = await userOn(ada)
  const device = await browser.newContext({ baseURL: server.address })
  const data = { username, password: 'correct horse' }
  await device.request.post('/api/auth/sign-in/username', { data, headers: { origin: server.address } })
  network.cut()
  await expect(ada.getByText('Connection lost')).toBeVisible()
  await choose(await device.newPage(), PSEUDO)
  network.restore()
  await shows(ada, 'pseudo')
  await device.close()
})
