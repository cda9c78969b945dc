import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { expect, test } from '../support/fixtures.ts'

const button = (page: Page) => page.getByRole('button', { name: 'Set your status' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Set Your Status' })
const picker = (page: Page) => page.locator('em-emoji-picker')

async function pick(page: Page, word: string, emoji: string) {
  await button(page).click()
  await picker(page).getByPlaceholder('Search').fill(word)
  await picker(page).getByRole('option', { name: emoji }).click()
}

test('a refused status changes nothing: the dialog stays open, and the reason is logged and shown once', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const logged: string[] = []
  ada.on('console', (line) => logged.push(line.text()))
  await expect(button(ada)).toHaveText('😊')
  await ada.route('**/api/users/status', (route) => route.abort())
  await pick(ada, 'palm tree', '🌴')
  await expect(ada.getByRole('listitem').filter({ hasText: 'Failed to update status' })).toHaveCount(1)
  await expect(dialog(ada)).toBeVisible()
  await expect(ada.locator('header').getByTitle('Set your status')).toHaveText('😊')
  await expect.poll(() => logged.filter((line) => line.startsWith('Error updating status:'))).toHaveLength(1)
  await ada.unroute('**/api/users/status')
  await picker(ada).getByRole('option', { name: '🌴' }).click()
  await expect(button(ada)).toHaveText('🌴')
  await expect(dialog(ada)).toHaveCount(0)
})

test('the picker has the specified dimensions, is dark on a light page, and requests nothing from other servers', async ({
  person,
  server,
}) => {
  const ada = await person('Ada Lovelace')
  const outside: string[] = []
  ada.on('request', (request) => {
    if (!request.url().startsWith(server.address)) outside.push(request.url())
  })
  await ada.emulateMedia({ colorScheme: 'light' })
  await button(ada).click()
  await expect(picker(ada).getByPlaceholder('Search')).toBeFocused()
  await expect(picker(ada).locator('#root')).toHaveAttribute('data-theme', 'dark')
  await expect(picker(ada).locator('#root')).toHaveAttribute('data-emoji-set', 'native')
  const [paper] = await picker(ada)
    .locator('#root')
    .evaluate((root) => getComputedStyle(root).backgroundColor.match(/[\d.]+/g) ?? [])
  expect(Number(paper)).toBeLessThan(60)

  await expect(picker(ada).getByRole('tab')).toHaveCount(9)
  const names = await picker(ada)
    .getByRole('listbox')
    .evaluateAll((lists) => lists.map((list) => list.getAttribute('aria-label')))
  expect(names).toEqual([
    'Frequently used',
    'Smileys & People',
    'Animals & Nature',
    'Food & Drink',
    'Activity',
    'Travel & Places',
    'Objects',
    'Symbols',
    'Flags',
  ])
  const row = picker(ada).getByRole('listbox', { name: 'Smileys & People' }).locator('.row').first()
  await expect(row.getByRole('option')).toHaveCount(9)
  const emoji = row.getByRole('option').first()
  await expect.poll(() => emoji.boundingBox()).toMatchObject({ width: 36, height: 36 })
  await expect(emoji).toHaveCSS('font-size', '24px')
  await picker(ada).getByRole('button', { name: 'Choose default skin tone' }).click()
  await expect(picker(ada).getByRole('radio')).toHaveCount(6)
  await expect(picker(ada).getByRole('radio', { checked: true })).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(picker(ada).getByRole('radio')).toHaveCount(0)
  await picker(ada).getByPlaceholder('Search').fill('a')
  await expect(picker(ada).getByRole('option')).toHaveCount(90)
  expect(outside).toEqual([])
})

test('the picker works by keyboard, and each Escape closes one layer', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await button(ada).focus()
  await ada.keyboard.press('Enter')
  await expect(picker(ada).getByPlaceholder('Search')).toBeFocused()
  await ada.keyboard.type('palm')
  await expect(picker(ada).getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await ada.keyboard.press('Escape')
  await expect(picker(ada).getByPlaceholder('Search')).toHaveValue('')
  await expect(dialog(ada)).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(dialog(ada)).toHaveCount(0)
  await expect(button(ada)).toBeFocused()
  await ada.keyboard.press('Enter')
  await expect(picker(ada).getByPlaceholder('Search')).toBeFocused()
  await ada.keyboard.type('palm tree')
  await expect(picker(ada).getByRole('option')).toHaveCount(1)
  await ada.keyboard.press('Enter')
  await expect(button(ada)).toHaveText('🌴')
})

test('on a phone the button is in the drawer, and the picker fits', async ({ person }) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 390, height: 844 }, hasTouch: true })
  await ada.getByRole('button', { name: 'Show channels' }).tap()
  await button(ada).tap()
  await expect(dialog(ada)).toBeVisible()
  // The dialog opens with an animation.
  await expect(async () => {
    const { x, width } = (await picker(ada).boundingBox()) ?? { x: -1, width: 0 }
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(390)
  }).toPass()
  const last = picker(ada).getByRole('listbox', { name: 'Smileys & People' }).getByRole('option').nth(8)
  await last.tap()
  await expect(dialog(ada)).toHaveCount(0)
  await expect(button(ada)).toHaveText('🙂')
})

test('the dialog is accessible', async ({ person }) => {
  // The accessibility check goes through 1,800 emoji each time.
  test.slow()
  const ada = await person('Ada Lovelace')
  await button(ada).click()
  await expect(picker(ada).getByRole('option').first()).toBeVisible()
  await expectAccessible(ada, 'picker')
  await picker(ada).getByRole('button', { name: 'Choose default skin tone' }).click()
  await expectAccessible(ada, 'skin tones')
  await ada.keyboard.press('Escape')
  await picker(ada).getByPlaceholder('Search').fill('nothing like it')
  await expect(picker(ada).getByText('No emoji found')).toBeVisible()
  await expectAccessible(ada, 'nothing found')
})
