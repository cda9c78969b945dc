import { expectAccessible } from '../support/accessibility.ts'
import { composer, expect, test, userOn } from '../support/fixtures.ts'
import { openSettings } from '../support/settings.ts'

test('a sign-in on a new device is marked as new among the devices', async ({ person, browser, server }) => {
  const ada = await person('Ada Newdevice')
  const { username } = await userOn(ada)
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const laptop = await (await browser.newContext({ baseURL: server.address, userAgent })).newPage()
  await laptop.goto('/sign-in')
  await laptop.getByLabel('Email or username').fill(username)
  await laptop.getByLabel('Password', { exact: true }).fill('correct horse')
  await laptop.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(composer(laptop)).toBeVisible()

  const dialog = await openSettings(ada, 'Devices')
  const row = dialog
    .getByRole('list', { name: 'Devices' })
    .getByRole('listitem')
    .filter({ hasText: 'Firefox on Linux' })
  await expect(row.getByText('New', { exact: true })).toBeVisible()
  await expect(dialog.getByText('If that wasn’t you')).toBeVisible()
  await expectAccessible(ada)
  await row.getByRole('button').click()
  await expect(row).toHaveCount(0)
  await expect(dialog.getByText('If that wasn’t you')).toHaveCount(0)
  await expect(laptop).toHaveURL(/\/sign-in$/)
  await laptop.context().close()
})
