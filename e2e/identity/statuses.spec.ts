import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { createPrivateChannel, expect, message, openTab, say, test, uniqueName } from '../support/fixtures.ts'
import { untilListening } from '../support/late-parts.ts'

const button = (page: Page) => page.getByRole('button', { name: 'Set your status' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Set Your Status' })
const picker = (page: Page) => page.locator('em-emoji-picker')
/** Opens the card of a message's author. */
async function openCard(page: Page, text: string, name: string) {
  await untilListening(page, 'document', 'person')
  await message(page, text).locator('[data-person]').first().click()
  const card = page.getByRole('dialog', { name: new RegExp(name) })
  await expect(card).toBeVisible()
  return card
}

test('a status says what I am doing, and until when; others and my other tab see it, and so does a reload', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createPrivateChannel(ada, bob, uniqueName('statuses'))
  await say(ada, 'where am I')
  await expect(message(bob, 'where am I')).toBeVisible()
  const tab = await openTab(ada)

  await button(ada).click()
  await dialog(ada).getByLabel('What are you doing?').fill('Lunch with Eve')
  await dialog(ada).getByRole('combobox', { name: 'Clear after' }).click()
  await ada.getByRole('option', { name: '4 hours' }).click()
  await picker(ada).getByPlaceholder('Search').fill('palm tree')
  await picker(ada).getByRole('option', { name: '🌴' }).click()
  await expect(dialog(ada)).toHaveCount(0)
  for (const page of [ada, tab]) await expect(button(page)).toHaveText('🌴')
  await expect(message(bob, 'where am I').getByRole('img', { name: '🌴 Lunch with Eve' })).toBeVisible()
  await bob.reload()
  const card = await openCard(bob, 'where am I', 'Ada Lovelace')
  await expect(card).toContainText('Lunch with Eve')
  await expect(card).toContainText(/Until .*\d/)
  await expectAccessible(bob, 'card with a status')
  await bob.keyboard.press('Escape')

  // Changes only the text.
  await button(tab).click()
  await expect(dialog(tab).getByLabel('What are you doing?')).toHaveValue('Lunch with Eve')
  await dialog(tab).getByLabel('What are you doing?').fill('Still lunch')
  await dialog(tab).getByLabel('What are you doing?').press('Enter')
  await expect(dialog(tab)).toHaveCount(0)
  await expect(message(bob, 'where am I').getByRole('img', { name: '🌴 Still lunch' })).toBeVisible()

  await button(ada).click()
  await dialog(ada).getByRole('button', { name: 'Clear status' }).click()
  for (const page of [ada, tab]) await expect(button(page)).toHaveText('😊')
  await expect(message(bob, 'where am I').getByRole('img', { name: /lunch/ })).toHaveCount(0)
})
