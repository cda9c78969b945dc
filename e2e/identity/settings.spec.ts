import type { Page } from '@playwright/test'
import { expectUsable } from '../support/accessibility.ts'
import { expect, message, say, test, usernameOf } from '../support/fixtures.ts'

async function openSettings(page: Page) {
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
}

const save = (page: Page) => page.getByRole('button', { name: 'Save' })

test('a new name is seen at once in what others read, and after a reload', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await say(ada, 'who am I today?')
  await expect(message(bob, 'who am I today?')).toContainText('Ada Lovelace')
  const username = usernameOf('countess')
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

test('what the server refuses is said at its field, and what was typed stays', async ({ person }) => {
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
  await ada.getByLabel('Username').fill(usernameOf('free'))
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

test('saving leaves the page as it was: nothing is read anew, and the focus stays in the dialog', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await say(ada, 'still here')
  await expect(message(ada, 'still here')).toBeVisible()
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

test('a theme is chosen for this device and stays', async ({ person }) => {
  const ada = await person('Ada Lovelace', { colorScheme: 'light' })
  const lightness = () =>
    ada.evaluate(() => Number(getComputedStyle(document.body).backgroundColor.match(/[\d.]+/)?.[0]))
  const light = await lightness()
  await openSettings(ada)
  await expect(ada.getByRole('radio', { name: 'System' })).toBeChecked()
  await ada.getByRole('radio', { name: 'System' }).focus()
  await ada.keyboard.press('ArrowLeft')
  await expect(ada.getByRole('radio', { name: 'Dark' })).toBeChecked()
  const dark = await lightness()
  expect(dark).toBeLessThan(light / 2)
  await ada.reload()
  expect(await lightness()).toBe(dark)
  await openSettings(ada)
  await ada.getByText('Light', { exact: true }).click()
  await ada.emulateMedia({ colorScheme: 'dark' })
  expect(await lightness()).toBe(light)
  await ada.getByText('System', { exact: true }).click()
  expect(await lightness()).toBe(dark)
})

test('everyone can use the dialog', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await openSettings(ada)
  await ada.getByLabel('Username').fill('a')
  await save(ada).click()
  await expect(ada.getByRole('alert')).toBeVisible()
  await expectUsable(ada)
})

test('on a phone Escape closes the dialog, then the drawer', async ({ person }) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 390, height: 844 } })
  await ada.getByRole('button', { name: 'Show channels' }).click()
  await openSettings(ada)
  await ada.keyboard.press('Escape')
  await expect(ada.getByRole('dialog')).toHaveCount(0)
  await expect(ada.getByRole('button', { name: 'Settings' })).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(ada.getByRole('button', { name: 'Show channels' })).toBeFocused()
})
