import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { callApi, createChannel, expect, openAsOwner, test } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'

test('the owner sees what a rule would delete before it is set', async ({ browser }) => {
  const parley = await startServer()
  const olga = await openAsOwner(browser, parley.address)
  const channelId = await createChannel(olga, 'records')
  await callApi(olga, 'PUT', '/api/retention', { channelId, days: 90 })
  const choice = (name: string) => olga.getByRole('combobox', { name })
  const choose = async (name: string, option: string) => {
    await choice(name).click()
    await olga.getByRole('option', { name: option }).click()
  }
  const days = olga.getByLabel('Days', { exact: true })
  const preview = olga.getByRole('button', { name: 'Preview' })
  const question = olga.getByRole('dialog', { name: 'Delete old messages?' })
  await olga.goto('/admin/retention')
  await expect(olga.getByText('All messages are kept.')).toBeVisible()

  await test.step('a channel with a rule of its own shows it; what was saved is said and keeps the focus', async () => {
    await choose('Where', '#records')
    await expect(choice('Rule')).toHaveText('Delete after some days')
    await expect(days).toHaveValue('90')
    await choose('Where', 'The workspace')
    await expect(choice('Rule')).toHaveText('Keep everything')
    await choose('Rule', 'Delete after some days')
    await days.fill('1')
    await expectAccessible(olga)
    await preview.press('Enter')
    await expect(question).toContainText('about 0 messages')
    await expect(question).toContainText('after 1 day.')
    await question.getByRole('button', { name: 'Set and delete' }).click()
    await expect(olga.getByText('Messages are kept for 1 day.')).toBeVisible()
    await expect(olga.getByText('Saved', { exact: true })).toBeVisible()
    await expect(preview).toBeFocused()
    const own = olga.getByRole('list', { name: 'Channels with their own rule' })
    await expect(own).toContainText('#records90 days')
  })
  await test.step('a preview that is overtaken by another choice is not asked about', async () => {
    const { promise: released, resolve: answer } = Promise.withResolvers<void>()
    await olga.route('**/api/retention/preview', async (route) => {
      await released
      await route.continue()
    })
    await days.fill('3000')
    await preview.click()
    await days.fill('2')
    const answered = olga.waitForResponse('**/api/retention/preview')
    answer()
    await answered
    await days.fill('4')
    await expect(question).toHaveCount(0)
    await preview.click()
    await expect(question).toContainText('after 4 days')
    await question.getByRole('button', { name: 'Cancel' }).click()
  })
  await olga.goto('/admin/audit')
  const log = olga.getByRole('list', { name: 'Audit log' })
  await expect(log).toContainText('Olga Owner set that messages in #records are kept for 90 days')
  await olga.context().close()
  await parley.remove()
})

test('shorter ages of the audit log are confirmed, and nobody sets back what another tab has changed', async ({
  browser,
}) => {
  const parley = await startServer()
  const olga = await openAsOwner(browser, parley.address)
  const days = (page: Page) => page.getByLabel('Days to keep lines')
  const save = (page: Page) =>
    page
      .locator('form')
      .filter({ has: days(page) })
      .getByRole('button', { name: 'Save' })
  const tab = await olga.context().newPage()
  for (const page of [olga, tab]) {
    await page.goto('/admin/retention')
    await expect(days(page)).toHaveValue('400')
  }
  await days(tab).fill('365')
  await save(tab).click()
  await expectAccessible(tab)
  await tab.getByRole('dialog').getByRole('button', { name: 'Delete them' }).click()
  await expect(tab.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await olga.getByLabel('Days to keep addresses and devices').fill('120')
  await save(olga).click()
  await expect(olga.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await expect(days(olga)).toHaveValue('365')
  await olga.context().close()
  await parley.remove()
})
