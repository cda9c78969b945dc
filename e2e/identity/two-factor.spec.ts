import type { Page } from '@playwright/test'
import { appFor } from '../../server/test/support/authenticator.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { composer, expect, test, userOn } from '../support/fixtures.ts'
import { openSettings } from '../support/settings.ts'

async function givePassword(page: Page, username: string) {
  await page.goto('/sign-in')
  await page.getByLabel('Email or username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
}

test('codes of an app are switched on in the settings, and asked for at the next sign-in', { tag: '@long' }, async ({
  person,
  browser,
  server,
}) => {
  const ada = await person('Ada Factor')
  const { username } = await userOn(ada)
  const dialog = await openSettings(ada, 'Two-step sign-in')
  await dialog.getByRole('button', { name: 'Set up' }).click()
  await dialog.getByLabel('Your password').fill('not the right one')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('This is not your current password')
  await dialog.getByLabel('Your password').fill('correct horse')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code' })).toBeVisible()
  const app = appFor((await ada.locator('#two-factor-secret').textContent()) ?? '')
  await dialog.getByLabel('Code from the app').fill('000000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('This code is wrong or has expired')
  await dialog.getByLabel('Code from the app').fill(await app.totp())
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await expectAccessible(ada)
  const recoveryCode = (await codes.first().textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await expect(dialog).toContainText('You have 10 recovery codes left')

  const phone = await (await browser.newContext({ baseURL: server.address })).newPage()
  await givePassword(phone, username)
  await phone.getByLabel('Code').fill('000000')
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(phone.getByRole('alert')).toHaveText('This code is wrong or has expired')
  await phone.getByLabel('Code').fill(await app.totp())
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(composer(phone)).toBeVisible()
  await phone.context().close()

  const laptop = await (await browser.newContext({ baseURL: server.address })).newPage()
  await givePassword(laptop, username)
  await laptop.getByRole('button', { name: 'Use a recovery code' }).click()
  await laptop.getByLabel('Recovery code').fill(recoveryCode)
  await laptop.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(composer(laptop)).toBeVisible()
  await laptop.context().close()

  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await dialog.getByLabel('Your password').fill('correct horse')
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(dialog.getByRole('button', { name: 'Set up' })).toBeVisible()
})
