import { composer, expect, test, userOn } from '../support/fixtures.ts'
import { openSettings, showSettings } from '../support/settings.ts'

test('a password is changed in the settings, and the other devices must sign in with the new one', {
  tag: '@long',
}, async ({ person, browser, server }) => {
  const ada = await person('Ada Lovelace')
  const { username } = await userOn(ada)
  const phone = await (await browser.newContext({ baseURL: server.address })).newPage()
  const signIn = async (password: string) => {
    await phone.getByLabel('Email or username').fill(username)
    await phone.getByLabel('Password', { exact: true }).fill(password)
    await phone.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await phone.goto('/sign-in')
  await signIn('correct horse')
  await expect(composer(phone)).toBeVisible()

  const dialog = await openSettings(ada, 'Password')
  const change = dialog.getByRole('button', { name: 'Change password' })
  await expect(change).toBeDisabled()
  await dialog.getByLabel('Current password').fill('not the right one')
  await dialog.getByLabel('New password').fill('short')
  await change.click()
  await expect(dialog.getByRole('alert')).toContainText('at least 8')
  await dialog.getByLabel('New password').fill('battery staple')
  await change.click()
  await expect(dialog.getByRole('alert')).toHaveText('This is not your current password')
  await dialog.getByLabel('Current password').fill('correct horse')
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await change.click()
  await expect(dialog.getByRole('status')).toHaveText('Password changed. Your other devices are signed out.')
  await expect(dialog.getByLabel('New password')).toHaveValue('')
  await showSettings(ada, 'Devices')
  await expect(ada.getByRole('list', { name: 'Devices' }).getByRole('listitem')).toHaveCount(1)

  await expect(phone).toHaveURL(/\/sign-in$/)
  await signIn('correct horse')
  await expect(phone.getByRole('alert')).toBeVisible()
  await signIn('battery staple')
  await expect(composer(phone)).toBeVisible()

  await showSettings(ada, 'Password')
  await dialog.getByLabel('Current password').fill('battery staple')
  await dialog.getByLabel('New password').fill('correct horse')
  await dialog.getByLabel('Sign out my other devices').uncheck()
  await change.click()
  await expect(dialog.getByRole('status')).toHaveText('Password changed')
  await expect(dialog.getByLabel('Sign out my other devices')).toBeChecked()
  await showSettings(ada, 'Devices')
  await expect(ada.getByRole('list', { name: 'Devices' }).getByRole('listitem')).toHaveCount(2)
  await phone.context().close()
})
