import type { Page, Route } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  composer,
  createChannel,
  expect,
  message,
  say,
  storedTexts,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { leave } from '../support/live.ts'
import { openSettings, settings } from '../support/settings.ts'
import { shortTokens } from '../support/short-tokens.ts'

/** The maximum delay of rejections, which arrive at different moments. */
const MOST_LATE_MS = 600

async function signIn(page: Page, username: string) {
  await page.getByLabel('Email or username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('a new device is marked as new; signed out from the settings of another, it shows the sign-in page, then returns to where it was', {
  tag: '@long',
}, async ({ person, browser, server }) => {
  const ada = await person('Ada Lovelace')
  const { username } = await userOn(ada)
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const phone = await (await browser.newContext({ baseURL: server.address, userAgent })).newPage()
  await phone.goto('/sign-in')
  await signIn(phone, username)
  await expect(composer(phone)).toBeVisible()
  const name = uniqueName('away')
  await createChannel(phone, name)
  const place = new URL(phone.url()).pathname
  await composer(phone).focus()
  await phone.keyboard.type('half a sen')

  await openSettings(ada, 'Devices')
  const devices = ada.getByRole('list', { name: 'Devices' })
  await expect(devices.getByRole('listitem')).toHaveCount(2)
  await expect(devices.getByRole('listitem').first()).toContainText('This device')
  const added = devices.getByRole('listitem').filter({ hasText: 'Firefox on Linux' })
  await expect(added.getByText('New', { exact: true })).toBeVisible()
  await expect(settings(ada).getByText('If that wasn’t you')).toBeVisible()
  await expectAccessible(ada)
  await devices.getByRole('button', { name: /^Sign out/ }).click()
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  await expect(settings(ada).getByText('If that wasn’t you')).toHaveCount(0)

  await expect(phone).toHaveURL(/\/sign-in$/)
  await expect(phone.getByText('Your session has expired. Sign in again to continue.')).toBeVisible()
  // Keys typed in the meantime go into no other field, and the draft is still there.
  await phone.keyboard.type('tence')
  await phone.keyboard.press('Enter')
  await expect(phone.getByLabel('Email or username')).toHaveValue('')
  await signIn(phone, username)
  await expect(phone).toHaveURL(new RegExp(`${place}$`))
  await expect(phone.getByRole('heading', { name })).toBeVisible()
  await expect(composer(phone)).toHaveValue('half a sen')
  await phone.context().close()
})

test('a token that expires during use is renewed without a reload', { tag: '@long' }, async ({ person, server }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const short = await shortTokens(server.databaseUrl)
  const comeBack = await leave(ada)
  const requests: string[] = []
  await ada.route('**/api/auth/token', async (route: Route) => {
    const answer = await route.fetch()
    const { token } = await answer.json()
    requests.push(token)
    if (requests.length > 1) return route.fulfill({ response: answer })
    // A server clock two minutes behind makes the token look valid for long enough.
    const headers = { ...answer.headers(), date: new Date(Date.now() - 120_000).toUTCString() }
    return route.fulfill({ response: answer, headers, json: { token: await short(token, 3) } })
  })
  await comeBack()
  await expect(composer(ada)).toBeVisible()
  await ada.evaluate(() => Object.assign(window, { isSamePage: true }))
  // The live connection ends with the token, or is rejected if it took longer to open.
  await expect.poll(() => requests.length).toBeGreaterThan(1)
  await say(bob, 'said while it was renewed')
  await expect(message(ada, 'said while it was renewed')).toBeVisible()
  await say(ada, 'and on it goes')
  await expect(message(bob, 'and on it goes')).toBeVisible()
  expect(await ada.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('a user whose tokens are rejected despite a valid cookie is asked to sign in, and loses nothing', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const { username } = await userOn(ada)
  const name = uniqueName('kept')
  const channelId = await createChannel(ada, name)
  // The response of a node that cannot verify the token.
  const refuse = (route: Route) =>
    route.fulfill({ status: 401, json: { error: { code: 'unauthenticated', message: 'Sign in first' } } })
  await ada.route(/\/api\/(?!auth)/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * MOST_LATE_MS))
    await refuse(route)
  })
  await composer(ada).fill('not sent yet')
  await composer(ada).press('Enter')
  await expect(ada).toHaveURL(/\/sign-in$/)
  await expect(ada.getByText('Your session has expired. Sign in again to continue.')).toBeVisible()
  const visits: string[] = []
  ada.on('framenavigated', (frame) => visits.push(frame.url()))
  await ada.waitForTimeout(2 * MOST_LATE_MS)
  expect(visits).toEqual([])
  await ada.unrouteAll({ behavior: 'ignoreErrors' })
  await signIn(ada, username)
  await expect(ada.getByRole('heading', { name })).toBeVisible()
  await expect(message(ada, 'not sent yet')).toBeVisible()
  await expect.poll(() => storedTexts(ada, channelId)).toEqual(['not sent yet'])
})
