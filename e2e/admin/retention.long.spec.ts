import type { Page } from '@playwright/test'
import { callApi, expect, openAsOwner, test } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'

let parley: Awaited<ReturnType<typeof startServer>>
let olga: Page
test.describe.configure({ mode: 'default' })
test.beforeAll(async ({ browser }) => {
  parley = await startServer()
  olga = await openAsOwner(browser, parley.address)
})
test.afterAll(async () => {
  await olga.context().close()
  await parley.remove()
})

const choice = (name: string) => olga.getByRole('combobox', { name })
const days = () => olga.getByLabel('Days', { exact: true })

async function choose(name: string, option: string | RegExp) {
  await choice(name).click()
  await olga.getByRole('option', { name: option }).click()
}

test('a channel with a rule of its own shows it, and what was saved is said and keeps the focus', async () => {
  const { id } = await callApi(olga, 'POST', '/api/channels', { name: 'records' })
  await callApi(olga, 'PUT', '/api/retention', { channelId: id, days: 90 })
  await olga.goto('/admin/retention')
  await choose('Where', '#records')
  await expect(choice('Rule')).toHaveText('Delete after some days')
  await expect(days()).toHaveValue('90')
  await choose('Where', 'The workspace')
  await expect(choice('Rule')).toHaveText('Keep everything')

  await choose('Rule', 'Delete after some days')
  await days().fill('1')
  await olga.getByRole('button', { name: 'Preview' }).press('Enter')
  const question = olga.getByRole('dialog', { name: 'Delete old messages?' })
  await expect(question).toContainText('after 1 day.')
  await question.getByRole('button', { name: 'Set and delete' }).click()
  await expect(olga.getByText('Messages are kept for 1 day.')).toBeVisible()
  await expect(olga.getByText('Saved', { exact: true })).toBeVisible()
  await expect(olga.getByRole('button', { name: 'Preview' })).toBeFocused()
})

test('a preview that is overtaken by another choice is not asked about', async () => {
  await callApi(olga, 'PUT', '/api/retention', { days: 1 })
  await olga.goto('/admin/retention')
  let answer = () => {}
  const released = new Promise<void>((resolve) => {
    answer = resolve
  })
  await olga.route('**/api/retention/preview', async (route) => {
    await released
    await route.continue()
  })
  await days().fill('3000')
  await olga.getByRole('button', { name: 'Preview' }).click()
  await days().fill('2')
  const answered = olga.waitForResponse('**/api/retention/preview')
  answer()
  await answered
  await days().fill('4')
  const question = olga.getByRole('dialog', { name: 'Delete old messages?' })
  await expect(question).toHaveCount(0)
  await olga.getByRole('button', { name: 'Preview' }).click()
  await expect(question).toContainText('after 4 days')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await olga.unrouteAll()
})

test('among thousands of people one is found by typing; the focus stays beside what was placed and lifted', async ({
  person,
}) => {
  const { address } = parley
  await person('Bruno Kahn', { address, open: false })
  await olga.route(/\/api\/users(\?|$)/, async (route) => {
    const response = await route.fetch()
    const people = await response.json()
    const many = Array.from({ length: 5000 }, (_, n) => ({ ...people[0], id: `p${n}`, name: `Person ${n}` }))
    await route.fulfill({ response, json: [...many, ...people] })
  })
  await olga.goto('/admin/retention')
  await choice('Channel or person').click()
  await expect(olga.getByRole('option').first()).toBeVisible()
  expect(await olga.getByRole('option').count()).toBeLessThan(200)
  await olga.keyboard.type('bruno')
  await expect(olga.getByRole('option')).toHaveCount(1)
  await olga.keyboard.press('Enter')
  await expect(choice('Channel or person')).toHaveValue(/^Bruno Kahn/)
  await olga.getByRole('button', { name: 'Place hold' }).press('Enter')
  const lift = olga.getByRole('list', { name: 'Holds' }).getByRole('button', { name: 'Lift' })
  await expect(lift).toBeVisible()
  await expect(choice('Channel or person')).toHaveValue('')
  await expect(olga.getByRole('button', { name: 'Place hold' })).toBeFocused()
  await lift.press('Enter')
  await expect(lift).toHaveCount(0)
  await expect(choice('Channel or person')).toBeFocused()
  await olga.unrouteAll()
})

test('deleting an archive and removing a filter leave the focus beside it; a page has the focus where it was', async () => {
  await olga.goto('/admin/export')
  await olga.getByRole('button', { name: 'Start export' }).click()
  await olga.getByRole('button', { name: 'Delete archive' }).press('Enter')
  await expect(olga.getByRole('list', { name: 'Archives' })).toHaveCount(0)
  await expect(olga.getByRole('button', { name: 'Start export' })).toBeFocused()

  const link = olga.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Audit log' })
  await link.press('Enter')
  const log = olga.getByRole('list', { name: 'Audit log' })
  await log.getByRole('listitem').first().getByRole('button').click()
  await log.getByRole('button', { name: 'Only Olga Owner' }).click()
  await olga.getByRole('button', { name: 'Remove filter: Olga Owner' }).press('Enter')
  await expect(olga.getByRole('radio', { name: '30 days' })).toBeFocused()
  await olga
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('link', { name: 'People and invites' })
    .press('Enter')
  await expect(olga.getByRole('list', { name: 'People' })).toContainText('Olga Owner')
  await expect(olga.getByRole('link', { name: 'People and invites' })).toBeFocused()
})

test('older lines that cannot be loaded are reported, and come with the next attempt', async () => {
  for (let n = 0; n < 60; n++) await callApi(olga, 'POST', '/api/channels', { name: `berth-${n}` })
  const older = /\/api\/audit\?.*cursor=/
  await olga.route(older, (route) => route.fulfill({ status: 503, json: { error: { code: 'X', message: 'x' } } }))
  await olga.goto('/admin/audit')
  const log = olga.getByRole('list', { name: 'Audit log' })
  await log.getByRole('listitem').last().scrollIntoViewIfNeeded()
  const failure = olga.getByRole('alert').filter({ hasText: 'Failed to load the audit log' })
  await expect(failure).toBeVisible()
  await olga.unroute(older)
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(log).toContainText('created #berth-0')
  await expect(failure).toHaveCount(0)
})
