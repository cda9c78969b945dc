import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { expect, openTab, test } from '../support/fixtures.ts'
import { openSettings } from '../support/settings.ts'

const availability = (page: Page) => page.getByRole('dialog', { name: 'Availability' })
const choice = (page: Page, name: string) => availability(page).getByRole('radio', { name: new RegExp(`^${name}`) })
async function openAvailability(page: Page) {
  await page.getByRole('button', { name: 'My account' }).click()
  await page.getByRole('menuitem', { name: 'Availability' }).click()
  await expect(availability(page)).toBeVisible()
}

test('outside my hours do not disturb is on, even while I am away, and a status can switch it on', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const tab = await openTab(ada)
  const dialog = await openSettings(ada, 'Notifications')
  await dialog.getByRole('checkbox', { name: /^Notify me only at certain times/ }).check()
  await expectAccessible(ada, 'notification schedule')
  const days = dialog.getByRole('group', { name: 'Days' })
  for (const day of WEEKDAYS.slice(1, 6)) await days.getByRole('checkbox', { name: day }).uncheck()
  await expect(days.getByRole('checkbox', { checked: true })).toHaveCount(0)
  const saved = dialog.getByRole('status').filter({ hasText: 'Saved' })
  const form = dialog.locator('form', { hasText: 'Notify me only' })
  const save = form.getByRole('button', { name: 'Save' })
  await save.click()
  await expect(dialog.getByRole('alert')).toHaveText('Choose at least one day')
  // In three days, so that the test does not depend on the time.
  const weekday = new Date(Date.now() + 3 * 24 * 3_600_000).getDay()
  await days.getByRole('checkbox', { name: WEEKDAYS[weekday] ?? '' }).check()
  await dialog.getByLabel('From').fill('22:30')
  await dialog.getByLabel('To', { exact: true }).fill('06:15')
  await expect(dialog.getByText('On the next day')).toBeVisible()
  await save.click()
  await expect(saved).toBeVisible()
  await ada.keyboard.press('Escape')

  await openAvailability(tab)
  await expect(choice(tab, 'Do not disturb')).toBeChecked()
  await expect(availability(tab)).toContainText(/Until .*10:30/)
  await choice(tab, 'Away').click()
  await expect(availability(tab)).toContainText(/Nothing notifies you until .*10:30/)
  await expectAccessible(tab, 'away and quiet')
  await choice(tab, 'Active').click()
  await expect(choice(tab, 'Active')).toBeChecked()

  await ada.getByRole('button', { name: 'Set your status' }).click()
  const status = ada.getByRole('dialog', { name: 'Set Your Status' })
  const quiet = status.getByRole('checkbox', { name: 'Do not disturb until then' })
  await status.getByLabel('What are you doing?').fill('In a meeting')
  await expect(quiet).toHaveCount(0)
  await status.getByRole('combobox', { name: 'Clear after' }).click()
  await ada.getByRole('option', { name: '1 hour' }).click()
  await quiet.check()
  await status.getByRole('button', { name: 'Save' }).click()
  await expect(choice(tab, 'Do not disturb')).toBeChecked()
  await ada.getByRole('button', { name: 'Set your status' }).click()
  await expect(quiet).toBeChecked()
  await status.getByRole('button', { name: 'Clear status' }).click()
  await expect(choice(tab, 'Active')).toBeChecked()
})

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
