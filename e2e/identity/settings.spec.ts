import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { nextReady } from '../support/live.ts'
import { messageId } from '../support/message-rows.ts'
import { openSettings, settings, showSettings } from '../support/settings.ts'
import { settled } from '../support/settled.ts'

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

test('a new name shows at once to others, and after a reload', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await say(ada, 'who am I today?')
  await expect(message(bob, 'who am I today?')).toContainText('Ada Lovelace')
  const username = uniqueName('countess')
  await openSettings(ada)
  await expect(save(ada)).toBeDisabled()
  await ada.getByLabel('Name', { exact: true }).fill('  Countess of Lovelace ')
  await ada.getByLabel('Username').fill(username.toUpperCase())
  await save(ada).click()
  await expect(ada.getByRole('dialog').getByText('Saved', { exact: true })).toBeVisible()
  await expect(ada.getByLabel('Name', { exact: true })).toHaveValue('Countess of Lovelace')
  await expect(ada.getByLabel('Username')).toHaveValue(username)
  await expect(message(bob, 'who am I today?')).toContainText('Countess of Lovelace')
  await expect(ada.getByTitle(`Countess of Lovelace (@${username})`)).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(message(ada, 'who am I today?')).toContainText('Countess of Lovelace')
  await ada.reload()
  await expect(message(ada, 'who am I today?')).toContainText('Countess of Lovelace')
  await openSettings(ada)
  await expect(ada.getByLabel('Username')).toHaveValue(username)
})

test('a refused value is explained at its field, and the typed text stays', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const { user } = await (await bob.request.get('/api/auth/get-session')).json()
  await openSettings(ada)
  await ada.getByLabel('Username').fill(user.username)
  await save(ada).click()
  await expect(ada.getByRole('alert')).toHaveText('The username is taken')
  await expect(ada.getByLabel('Username')).toHaveValue(user.username)
  await ada.getByLabel('Username').fill('a b')
  await expect(ada.getByRole('alert')).toHaveCount(0)
  await save(ada).click()
  await expect(ada.getByRole('alert')).toContainText('The username must have 3 to 30')
  await ada.getByLabel('Username').fill(uniqueName('free'))
  await ada.getByLabel('Name', { exact: true }).fill('Ada\u202eLovelace')
  await save(ada).click()
  await expect(ada.getByRole('alert')).toContainText('The name must not contain control or invisible characters')
  await ada.getByLabel('Name', { exact: true }).fill('Ada King')
  await ada.route('**/api/users/me', (route) => route.abort())
  await save(ada).click()
  await expect(ada.getByRole('dialog').getByText('Failed to save profile')).toBeVisible()
  await expect(ada.getByLabel('Name', { exact: true })).toHaveValue('Ada King')
  await ada.unroute('**/api/users/me')
  await save(ada).click()
  await expect(ada.getByTitle(/^Ada King/)).toBeVisible()
})

test('saving refetches nothing and leaves the focus in the dialog', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  // A page that connects reads.
  const live = nextReady(ada)
  await ada.reload()
  await live
  await say(ada, 'still here')
  await messageId(ada, 'still here')
  await settled(ada)
  let reads = 0
  ada.on('request', (request) => {
    if (request.url().includes('/api/messages/channel/')) reads++
  })
  await openSettings(ada)
  await ada.getByLabel('Name', { exact: true }).fill('Ada King')
  await ada.getByLabel('Name', { exact: true }).press('Enter')
  await expect(ada.getByRole('dialog').getByText('Saved', { exact: true })).toBeVisible()
  await expect(ada.getByLabel('Name', { exact: true })).toBeFocused()
  expect(reads).toBe(0)
  await ada.keyboard.press('Escape')
  await expect(ada.getByRole('button', { name: 'Settings' })).toBeFocused()
})

test('the theme is a setting of the device and survives a reload', async ({ person }) => {
  const ada = await person('Ada Lovelace', { colorScheme: 'light' })
  const lightness = () =>
    ada.evaluate(() => Number(getComputedStyle(document.body).backgroundColor.match(/[\d.]+/)?.[0]))
  const light = await lightness()
  await openSettings(ada, 'Appearance')
  await expect(ada.getByRole('radio', { name: 'System' })).toBeChecked()
  await ada.getByRole('radio', { name: 'System' }).focus()
  await ada.keyboard.press('ArrowLeft')
  await expect(ada.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect.poll(lightness).toBeLessThan(light / 2)
  const dark = await lightness()
  await ada.reload()
  await expect.poll(lightness).toBe(dark)
  await openSettings(ada, 'Appearance')
  await ada.getByText('Light', { exact: true }).click()
  await ada.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(lightness).toBe(light)
  await ada.getByText('System', { exact: true }).click()
  await expect.poll(lightness).toBe(dark)
})

test('the dialog is accessible', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await openSettings(ada)
  await ada.getByLabel('Username').fill('a')
  await save(ada).click()
  await expect(ada.getByRole('alert')).toBeVisible()
  await expectAccessible(ada)
})

test('sections are beside their list, where the arrows move; typed text stays in a section that one leaves', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await openSettings(ada)
  const list = settings(ada).getByRole('navigation', { name: 'Settings' })
  const section = (name: string) => settings(ada).getByRole('region', { name })
  await ada.getByLabel('Name', { exact: true }).fill('Ada King')
  await list.getByRole('button', { name: 'Profile' }).focus()
  await ada.keyboard.press('ArrowDown')
  await ada.keyboard.press('End')
  await ada.keyboard.press('ArrowUp')
  await ada.keyboard.press('Enter')
  await expect(section('Devices').getByText('This device', { exact: true })).toBeVisible()
  await expect(list.getByRole('button', { name: 'Devices' })).toHaveAttribute('aria-current', 'page')
  await expect(list.getByRole('button', { name: 'Devices' })).toBeFocused()
  await expect(section('Profile')).toHaveCount(0)
  await expectAccessible(ada, 'devices')
  await showSettings(ada, 'Profile')
  await expect(ada.getByLabel('Name', { exact: true })).toHaveValue('Ada King')
  for (const name of ['Notifications', 'Keyboard', 'Accessibility'] as const) {
    await showSettings(ada, name)
    await expect(section(name)).toBeVisible()
    await expectAccessible(ada, name)
  }
})

test('on a phone a section follows the list, Back returns to it, and Escape closes the dialog, then the drawer', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 390, height: 844 } })
  const here = ada.url()
  await ada.getByRole('button', { name: 'Show channels' }).click()
  await openSettings(ada)
  const entry = settings(ada).getByRole('button', { name: 'Appearance', exact: true })
  const back = settings(ada).getByRole('button', { name: 'Appearance, back to settings' })
  await expect(settings(ada).getByRole('region')).toHaveCount(0)
  await entry.click()
  await expect(settings(ada).getByRole('radio', { name: 'Dark' })).toBeVisible()
  await expect(entry).toBeHidden()
  await expect(back).toBeFocused()
  await expectAccessible(ada, 'a section')
  await back.click()
  await expect(entry).toBeFocused()
  await entry.click()
  await ada.goBack()
  await expect(entry).toBeVisible()
  await entry.click()
  await expect(back).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(ada.getByRole('dialog')).toHaveCount(0)
  await expect(ada.getByRole('button', { name: 'Settings' })).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(ada.getByRole('button', { name: 'Show channels' })).toBeFocused()
  expect(ada.url()).toBe(here)
})
