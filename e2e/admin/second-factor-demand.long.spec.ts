import type { Page } from '@playwright/test'
import { appFor } from '../../server/test/support/authenticator.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { composer, expect, openAsOwner, test, userOn } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'
import { openSettings } from '../support/settings.ts'

/** Sets up an authenticator app where the page offers it, up to the recovery codes. */
async function setUp(page: Page) {
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Your password').fill('correct horse')
  await page.getByRole('button', { name: 'Continue' }).click()
  const app = appFor((await page.locator('#two-factor-secret').textContent()) ?? '')
  await page.getByLabel('Code from the app').fill(await app.totp())
  await page.getByRole('button', { name: 'Turn on' }).click()
  return page.getByRole('button', { name: 'I have kept them' })
}

test('the owner demands a second factor, and people set one up before anything else', async ({ browser, person }) => {
  const parley = await startServer()
  const olga = await openAsOwner(browser, parley.address)
  const bob = await person('Bob Demand', { address: parley.address })
  const cyd = await person('Cyd Demand', { address: parley.address })
  const { username } = await userOn(cyd)

  await olga.goto('/admin/people')
  const demand = olga.getByRole('checkbox', { name: 'Everybody needs a second factor' })
  await expect(olga.getByText('3 people who sign in with a password have none.')).toBeVisible()
  const ask = async (start: string) => {
    await demand.click()
    const question = olga.getByRole('dialog', { name: 'Require a second factor?' })
    await expectAccessible(olga)
    await question.getByRole('radio', { name: start }).check()
    await question.getByRole('button', { name: 'Require it' }).click()
  }
  await ask('In 7 days')
  await expect(olga.getByRole('alert')).toContainText('two-step sign-in for yourself first')
  await openSettings(olga, 'Two-step sign-in')
  await (await setUp(olga)).click()
  await olga.keyboard.press('Escape')
  await ask('In 7 days')
  await expect(demand).toBeChecked()
  await expect(olga.getByText(/^Starts on .*2 people who sign in with a password have none/)).toBeVisible()

  // Bob is told on all his pages, until he has set one up. His recovery codes stay until he has seen them.
  const barOn = (page: Page) => page.getByRole('region', { name: 'Set up a second step' })
  const tab = await bob.context().newPage()
  await tab.goto('/')
  await expect(barOn(tab)).toContainText('everybody here needs a second step to sign in')
  await barOn(bob).getByRole('button', { name: 'Set it up' }).click()
  await expect(bob.getByRole('dialog').getByRole('button', { name: 'Set up' })).toBeVisible()
  await expectAccessible(bob)
  const kept = await setUp(bob)
  for (const page of [tab, bob]) await expect(barOn(page)).toHaveCount(0)
  await kept.click()
  await expect(bob.getByRole('dialog')).toHaveCount(0)

  await demand.click()
  await expect(barOn(cyd)).toHaveCount(0)
  await ask('Now')
  await expect(demand).toBeChecked()

  // Cyd is signed out, and led to the setup on returning. Bob stays.
  await expect(cyd).toHaveURL(/\/sign-in$/)
  await cyd.getByLabel('Email or username').fill(username)
  await cyd.getByLabel('Password', { exact: true }).fill('correct horse')
  await cyd.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(cyd.getByRole('heading', { name: 'Set up a second step' })).toBeVisible()
  await expectAccessible(cyd)
  await cyd.goto('/admin')
  await expect(cyd.getByRole('heading', { name: 'Set up a second step' })).toBeVisible()
  await cyd.goto('/')
  await (await setUp(cyd)).click()
  for (const page of [cyd, bob]) await expect(composer(page)).toBeVisible()
  await olga.context().close()
  await parley.remove()
})
