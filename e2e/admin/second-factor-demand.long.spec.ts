import type { Page } from '@playwright/test'
import { appFor } from '../../server/test/support/authenticator.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { composer, expect, openAsOwner, test, userOn } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'
import { openSettings } from '../support/settings.ts'

/** Sets up an authenticator app where the page offers it. */
async function setUp(page: Page) {
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Your password').fill('correct horse')
  await page.getByRole('button', { name: 'Continue' }).click()
  const app = appFor((await page.locator('#two-factor-secret').textContent()) ?? '')
  await page.getByLabel('Code from the app').fill(await app.totp())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
}

test('the owner demands a second factor, and people set one up before anything else', async ({ browser, person }) => {
  const parley = await startServer()
  const olga = await openAsOwner(browser, parley.address)
  const bob = await person('Bob Demand', { address: parley.address })
  const { username } = await userOn(bob)

  await olga.goto('/admin/people')
  const demand = olga.getByRole('checkbox', { name: 'Everybody needs a second factor' })
  await expect(olga.getByText('2 people who sign in with a password have none.')).toBeVisible()
  const ask = async () => {
    await demand.click()
    const question = olga.getByRole('dialog', { name: 'Demand a second factor?' })
    await expectAccessible(olga)
    await question.getByRole('button', { name: 'Demand it' }).click()
  }
  await ask()
  await expect(olga.getByRole('alert')).toContainText('two-step sign-in for yourself first')
  await openSettings(olga, 'Two-step sign-in')
  await setUp(olga)
  await olga.keyboard.press('Escape')
  await ask()
  await expect(demand).toBeChecked()

  // Bob is signed out, and led to the setup when he returns.
  await expect(bob).toHaveURL(/\/sign-in$/)
  await bob.getByLabel('Email or username').fill(username)
  await bob.getByLabel('Password', { exact: true }).fill('correct horse')
  await bob.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(bob.getByRole('heading', { name: 'Set up a second step' })).toBeVisible()
  await expectAccessible(bob)
  await bob.goto('/admin')
  await expect(bob.getByRole('heading', { name: 'Set up a second step' })).toBeVisible()
  await bob.goto('/')
  await setUp(bob)
  await expect(composer(bob)).toBeVisible()
  await olga.context().close()
  await parley.remove()
})
