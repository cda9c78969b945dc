import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { composer, expect, test } from '../support/fixtures.ts'
import { openSettings } from '../support/settings.ts'

/** A device that stores passkeys and whose owner consents immediately. */
async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const consents = (isUserVerified: boolean) =>
    client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  return { consents }
}

test('a passkey is added, named, signs in without a password, and is removed', { tag: '@long' }, async ({
  person,
  server,
}) => {
  // Browsers don't support passkeys on IP addresses.
  const address = server.address.replace('127.0.0.1', 'localhost')
  const ada = await person('Ada Passkey', { address })
  const { consents } = await addAuthenticator(ada)
  const dialog = await openSettings(ada, 'Two-step sign-in')
  const add = dialog.getByRole('button', { name: 'Add passkey' })
  await add.click()
  await dialog.getByLabel('Your password').fill('correct horse')
  await add.click()
  await dialog.getByLabel('Name of this passkey').fill('Blue laptop')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const rows = dialog.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText('Blue laptop')
  await expectAccessible(ada)

  // The device already has one for this account.
  await add.click()
  await dialog.getByLabel('Your password').fill('correct horse')
  await add.click()
  await expect(dialog.getByRole('alert')).toContainText('already keeps a passkey')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await dialog.getByRole('button', { name: 'Rename Blue laptop' }).click()
  await dialog.getByLabel('Name of this passkey').fill('Old laptop')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(rows.first()).toContainText('Old laptop')
  await ada.keyboard.press('Escape')

  await ada.context().clearCookies()
  await ada.goto('/sign-in')
  const signIn = ada.getByRole('button', { name: 'Sign in with a passkey' })
  await consents(false)
  await signIn.click()
  await expect(ada.getByRole('alert')).toHaveText('No passkey was chosen')
  await consents(true)
  await signIn.click()
  await expect(composer(ada)).toBeVisible()

  await openSettings(ada, 'Two-step sign-in')
  await dialog.getByRole('button', { name: 'Remove Old laptop' }).click()
  await ada.getByRole('dialog', { name: 'Remove passkey?' }).getByRole('button', { name: 'Remove' }).click()
  // The confirmation hides the list.
  await expect(add).toBeVisible()
  await expect(rows).toHaveCount(0)
  await ada.keyboard.press('Escape')
  await ada.context().clearCookies()
  await ada.goto('/sign-in')
  await signIn.click()
  await expect(ada.getByRole('alert')).toContainText('does not know this passkey')
})
