import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { expect, test } from '../support/fixtures.ts'

const button = (page: Page) => page.getByRole('button', { name: 'Set your status' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Set Your Status' })
const picker = (page: Page) => page.locator('em-emoji-picker')

test('a status is picked by keyboard or on a phone; a refused one changes nothing, and the reason is shown once', async ({
  person,
  server,
}) => {
  const ada = await person('Ada Lovelace')
  const outside: string[] = []
  ada.on('request', (request) => {
    if (!request.url().startsWith(server.address)) outside.push(request.url())
  })
  const logged: string[] = []
  ada.on('console', (line) => logged.push(line.text()))
  await button(ada).focus()
  await ada.keyboard.press('Enter')
  await expect(picker(ada).getByPlaceholder('Search')).toBeFocused()
  await expect(picker(ada).locator('#root')).toHaveAttribute('data-emoji-set', 'native')
  await ada.keyboard.type('palm')
  await expect(picker(ada).getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(ada, 'picker')
  // Each Escape closes one layer.
  await ada.keyboard.press('Escape')
  await expect(picker(ada).getByPlaceholder('Search')).toHaveValue('')
  await expect(dialog(ada)).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(dialog(ada)).toHaveCount(0)
  await expect(button(ada)).toBeFocused()

  await ada.route('**/api/users/status', (route) => route.abort())
  await ada.keyboard.press('Enter')
  await expect(picker(ada).getByPlaceholder('Search')).toBeFocused()
  await ada.keyboard.type('palm tree')
  await expect(picker(ada).getByRole('option')).toHaveCount(1)
  await ada.keyboard.press('Enter')
  await expect(ada.getByRole('listitem').filter({ hasText: 'Couldn’t update status' })).toHaveCount(1)
  await expect(dialog(ada)).toBeVisible()
  await expect(ada.locator('header').getByTitle('Set your status')).toHaveText('😊')
  await expect.poll(() => logged.filter((line) => line.startsWith('Error updating status:'))).toHaveLength(1)
  await ada.unroute('**/api/users/status')
  await ada.keyboard.press('Enter')
  await expect(dialog(ada)).toHaveCount(0)
  await expect(button(ada)).toHaveText('🌴')

  // On a phone the button is in the drawer, and the picker fits.
  await ada.setViewportSize({ width: 390, height: 844 })
  await ada.getByRole('button', { name: 'Show channels' }).click()
  await button(ada).click()
  // The dialog opens with an animation.
  await expect(async () => {
    const { x, width } = (await picker(ada).boundingBox()) ?? { x: -1, width: 0 }
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(390)
  }).toPass()
  await picker(ada).getByRole('listbox', { name: 'Smileys & People' }).getByRole('option').nth(8).click()
  await expect(dialog(ada)).toHaveCount(0)
  await expect(button(ada)).toHaveText('🙂')
  expect(outside).toEqual([])
})
