import { expectAccessible } from '../support/accessibility.ts'
import { createPrivateChannel, expect, message, openAsOwner, say, test, uniqueName } from '../support/fixtures.ts'
import { untilListening } from '../support/late-parts.ts'
import { startServer } from '../support/server.ts'
import { openSettings, settings } from '../support/settings.ts'

test('my card says what I filled in and what time it is where I am; it survives a reload', async ({ person }) => {
  const ada = await person('Ada Lovelace', { timezoneId: 'Asia/Tokyo' })
  const bob = await person('Bob Kahn')
  await createPrivateChannel(ada, bob, uniqueName('cards'))
  await say(ada, 'who am I')
  const dialog = await openSettings(ada)
  await dialog.getByLabel('Title').fill('Engineer')
  await dialog.getByLabel('Pronouns').fill('she/her')
  await expect(dialog.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Same as the browser (Asia/Tokyo)')
  await dialog.getByRole('button', { name: 'Save card' }).click()
  await expect(dialog.getByText('Saved')).toBeVisible()

  await untilListening(bob, 'document', 'person')
  await message(bob, 'who am I').locator('[data-person]').first().click()
  const card = bob.getByRole('dialog', { name: /Ada Lovelace/ })
  await expect(card.getByText('Engineer')).toBeVisible()
  await expect(card.getByText('she/her')).toBeVisible()
  await expect(card.getByText('Phone')).toHaveCount(0)
  await expect(card.getByTitle('Asia/Tokyo')).toBeVisible()
  await expectAccessible(bob, 'card')
  await bob.keyboard.press('Escape')

  const zone = settings(ada).getByRole('combobox', { name: 'Time zone' })
  await zone.fill('lisbon')
  await ada.getByRole('option', { name: 'Europe/Lisbon' }).click()
  await settings(ada).getByRole('button', { name: 'Save card' }).click()
  await expect(settings(ada).getByText('Saved')).toBeVisible()
  await bob.reload()
  await untilListening(bob, 'document', 'person')
  await message(bob, 'who am I').locator('[data-person]').first().click()
  await expect(card.getByTitle('Europe/Lisbon')).toBeVisible()
})

test('the owner says which fields there are', { tag: '@long' }, async ({ browser }) => {
  const server = await startServer()
  try {
    const olga = await openAsOwner(browser, server.address)
    await olga.goto('/admin/profiles')
    await expect(olga.getByLabel('Name of field 1')).toHaveValue('Title')
    await olga.getByRole('button', { name: 'Remove Phone' }).click()
    await olga.getByRole('button', { name: 'Add field' }).click()
    await olga.getByLabel('Name of field 3').fill('Team')
    await olga.getByRole('button', { name: 'Move Team up' }).click()
    await expectAccessible(olga, 'profile fields')
    await olga.getByRole('button', { name: 'Save' }).click()
    await expect(olga.getByText('Saved')).toBeVisible()
    await olga.reload()
    await expect(olga.getByLabel('Name of field 2')).toHaveValue('Team')
    await olga.goto('/')
    const dialog = await openSettings(olga)
    await dialog.getByLabel('Team').fill('Compilers')
    await dialog.getByRole('button', { name: 'Save card' }).click()
    await expect(dialog.getByText('Saved')).toBeVisible()
    await expect(dialog.getByLabel('Phone')).toHaveCount(0)
    await olga.context().close()
  } finally {
    await server.remove()
  }
})
