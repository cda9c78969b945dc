import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createPrivateChannel,
  expect,
  message,
  openTab,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { row } from '../support/sidebar.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Availability' })
async function openChoice(page: Page) {
  await page.getByRole('button', { name: 'My account' }).click()
  await page.getByRole('menuitem', { name: 'Availability' }).click()
  await expect(dialog(page)).toBeVisible()
}
/** To be clicked, not checked: the page shows the choice a moment after the click. */
const choice = (page: Page, name: string) => dialog(page).getByRole('radio', { name: new RegExp(`^${name}`) })

test('my availability shows to others and in my other tab; who is invisible is offline to others, also while they type', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createPrivateChannel(ada, bob, uniqueName('unseen'))
  await callApi(ada, 'POST', '/api/direct-messages', { userIds: [(await userOn(bob)).id] })
  await expect(row(bob, 'Ada Lovelace')).toContainText('online')
  const tab = await openTab(ada)
  await openChoice(ada)
  await expect(choice(ada, 'Active')).toBeChecked()
  await choice(ada, 'Away').click()
  await expect(row(bob, 'Ada Lovelace').getByRole('img', { name: 'Away' })).toBeVisible()
  await expect(row(bob, 'Ada Lovelace')).toContainText('online')
  await openChoice(tab)
  await expect(choice(tab, 'Away')).toBeChecked()
  await choice(ada, 'Do not disturb').click()
  await expect(choice(tab, 'Do not disturb')).toBeChecked()
  await expect(row(bob, 'Ada Lovelace').getByRole('img', { name: 'Do not disturb' })).toBeVisible()
  await dialog(ada).getByRole('combobox', { name: 'For how long' }).click()
  await ada.getByRole('option', { name: 'Until tomorrow, 9:00' }).click()
  await expect(dialog(ada)).toContainText(/Until .*9:00/)
  await expectAccessible(ada, 'availability')
  await choice(tab, 'Active').click()
  await expect(choice(ada, 'Active')).toBeChecked()
  await expect(row(bob, 'Ada Lovelace').getByRole('img', { name: 'Do not disturb' })).toHaveCount(0)
  await expect(row(bob, 'Ada Lovelace')).toContainText('online')

  await choice(ada, 'Invisible').click()
  await expect(row(bob, 'Ada Lovelace')).toContainText('offline')
  await ada.keyboard.press('Escape')
  await ada.reload()
  await composer(ada).pressSequentially('nobody sees me type')
  await composer(ada).press('Enter')
  await expect(message(bob, 'nobody sees me type')).toBeVisible()
  await expect(row(bob, 'Ada Lovelace')).toContainText('offline')
  await bob.reload()
  await expect(row(bob, 'Ada Lovelace')).toContainText('offline')
  await openChoice(ada)
  await expect(choice(ada, 'Invisible')).toBeChecked()
  await choice(ada, 'Active').click()
  await expect(row(bob, 'Ada Lovelace')).toContainText('online')
})
