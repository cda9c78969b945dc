import { expectAccessible } from '../support/accessibility.ts'
import { expect, test, userOn } from '../support/fixtures.ts'
import { untilLateParts } from '../support/late-parts.ts'

test('my picture opens my menu, by mouse and by keyboard', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const { username } = await userOn(ada)
  const picture = ada.getByRole('button', { name: 'My account' })
  const menu = ada.getByRole('menu', { name: 'My account' })
  await untilLateParts(ada)
  await picture.click()
  await expect(menu).toBeVisible()
  await expect(menu).toContainText(`Ada Lovelace@${username}`)
  await expect(menu.getByRole('menuitem')).toHaveText([
    'Set your status',
    'Availability',
    'Settings',
    /^Keyboard shortcuts/,
    'Sign Out',
  ])
  await expectAccessible(ada)
  await ada.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(picture).toBeFocused()
  await ada.keyboard.press('Enter')
  await menu.getByRole('menuitem', { name: 'Settings' }).click()
  const settings = ada.getByRole('dialog', { name: 'Settings' })
  await expect(settings.getByRole('button', { name: 'Close', exact: true })).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(settings).toHaveCount(0)
  await picture.click()
  await menu.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(ada.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
})
