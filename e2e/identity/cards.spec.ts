import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { untilListening } from '../support/late-parts.ts'
import { openSettings } from '../support/settings.ts'
import { createSharedChannel } from '../support/threads.ts'

async function openCard(page: Page, text: string, name: string) {
  await untilListening(page, 'document', 'person')
  await message(page, text).locator('[data-person]').first().click()
  const card = page.getByRole('dialog', { name: new RegExp(name) })
  await expect(card).toBeVisible()
  return card
}

test('a new name shows at once to others, and my card says what I filled in; both survive a reload', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { timezoneId: 'Asia/Tokyo' })
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'who am I today?')
  await expect(message(bob, 'who am I today?')).toContainText('Ada Lovelace')
  const username = uniqueName('countess')
  const dialog = await openSettings(ada)
  const save = dialog.getByRole('button', { name: 'Save', exact: true })
  await expect(save).toBeDisabled()
  await dialog.getByLabel('Name', { exact: true }).fill('  Countess of Lovelace ')
  await dialog.getByLabel('Username').fill(username.toUpperCase())
  await save.click()
  await expect(dialog.getByText('Saved', { exact: true })).toBeVisible()
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Countess of Lovelace')
  await expect(dialog.getByLabel('Username')).toHaveValue(username)
  await expect(message(bob, 'who am I today?')).toContainText('Countess of Lovelace')
  await expect(ada.getByTitle(`Countess of Lovelace (@${username})`)).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(message(ada, 'who am I today?')).toContainText('Countess of Lovelace')
  await ada.reload()
  await expect(message(ada, 'who am I today?')).toContainText('Countess of Lovelace')

  await openSettings(ada)
  await expect(dialog.getByLabel('Username')).toHaveValue(username)
  const zone = dialog.getByRole('combobox', { name: 'Time zone' })
  await expect(zone).toHaveValue('Use browser time zone (Asia/Tokyo)')
  await dialog.getByLabel('Title').fill('Engineer')
  await dialog.getByLabel('Pronouns').fill('she/her')
  await dialog.getByRole('button', { name: 'Save card' }).click()
  await expect(dialog.getByText('Saved', { exact: true })).toBeVisible()
  const card = await openCard(bob, 'who am I today?', 'Countess of Lovelace')
  await expect(card.getByText('Engineer')).toBeVisible()
  await expect(card.getByText('she/her')).toBeVisible()
  await expect(card.getByText('Phone')).toHaveCount(0)
  await expect(card.getByTitle('Asia/Tokyo')).toBeVisible()
  await expectAccessible(bob, 'card')

  await zone.fill('lisbon')
  await ada.getByRole('option', { name: 'Europe/Lisbon' }).click()
  await dialog.getByRole('button', { name: 'Save card' }).click()
  await expect(dialog.getByText('Saved', { exact: true })).toBeVisible()
  await bob.reload()
  await openCard(bob, 'who am I today?', 'Countess of Lovelace')
  await expect(card.getByTitle('Europe/Lisbon')).toBeVisible()
})
