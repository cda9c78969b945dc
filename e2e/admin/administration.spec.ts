import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { callApi, expect, openAsOwner, test } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'
import { chooseFromWorkspaceMenu } from '../support/sidebar.ts'

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

test('the owner reads who did what, filters it by topic, person and words, and downloads it', async ({ person }) => {
  const { address } = parley
  const bob = await person('Bob Kahn', { address, open: false })
  await callApi(bob, 'POST', '/api/channels', { name: 'harbour' })
  await callApi(olga, 'POST', '/api/channels', { name: 'lighthouse' })
  await olga.goto('/admin')
  await expect(olga).toHaveURL(`${address}/admin/audit`)
  const log = olga.getByRole('list', { name: 'Audit log' })
  await expect(log.getByRole('listitem').first()).toContainText('Olga Owner created #lighthouse')
  await expect(log).toContainText('Bob Kahn signed in')
  await expectAccessible(olga)

  // A new line comes by itself; the keys go from line to line and open one.
  await callApi(bob, 'POST', '/api/channels', { name: 'pier' })
  await olga.getByRole('button', { name: 'Refresh' }).click()
  await expect(log.getByRole('listitem').first()).toContainText('Bob Kahn created #pier')
  await log.getByRole('listitem').first().getByRole('button').focus()
  await olga.keyboard.press('ArrowDown')
  await olga.keyboard.press('ArrowUp')
  await olga.keyboard.press('Enter')
  await expect(olga).toHaveURL(`${address}/admin/audit`)
  await expectAccessible(olga)
  await log.getByRole('button', { name: 'Only Bob Kahn' }).click()
  await expect(log).not.toContainText('lighthouse')
  await olga.getByText('Channels', { exact: true }).last().click()
  await expect(log).not.toContainText('signed in')
  await expect(log).toContainText('#harbour')
  await olga.getByRole('button', { name: 'Remove filter: Bob Kahn' }).click()
  await expect(log).toContainText('#lighthouse')
  await olga.getByRole('searchbox').fill('harb')
  await expect(log.getByRole('listitem')).toHaveCount(1)
  const download = olga.waitForEvent('download')
  await olga.getByRole('button', { name: 'CSV' }).click()
  const file = await (await download).path()
  expect(await readFile(file, 'utf8')).toContain('channel_created,')
  await olga.getByRole('searchbox').fill('nobody did this')
  await expect(olga.getByText('Nothing matches these filters.')).toBeVisible()
})

test('the owner opens the administration from the menu; for members the page does not exist', async ({ person }) => {
  const { address } = parley
  const bob = await person('Bella Kahn', { address })
  await chooseFromWorkspaceMenu(olga, 'Administration')
  await expect(olga.getByRole('heading', { name: 'Administration', level: 1 })).toBeVisible()
  const sections = olga.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('link', { name: 'People and invites' }).click()
  await expect(olga).toHaveURL(`${address}/admin/people`)
  await expect(olga.getByRole('list', { name: 'People' })).toContainText('Bella Kahn')
  await expectAccessible(olga)
  await olga.goto('/admin/nothing')
  await expect(olga.getByRole('heading', { name: 'Page not found' })).toBeVisible()

  await bob.goto('/admin/people')
  await expect(bob.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(bob.getByRole('list', { name: 'People' })).toHaveCount(0)
  await bob.getByRole('button', { name: /^Parley/ }).click()
  await expect(bob.getByRole('menuitem', { name: 'Mark everything as read' })).toBeVisible()
  await expect(bob.getByRole('menuitem', { name: 'Administration' })).toHaveCount(0)

  await olga.setViewportSize({ width: 390, height: 844 })
  await olga.goto('/admin')
  await olga.getByRole('link', { name: 'People and invites' }).click()
  await expect(olga.getByRole('list', { name: 'People' })).toContainText('Bella Kahn')
  await expectAccessible(olga)
  await olga.getByRole('link', { name: 'Administration' }).click()
  await expect(olga).toHaveURL(`${address}/admin/`)
})

test('the owner exports the workspace, and everybody their own data', async ({ person }) => {
  const { address } = parley
  await olga.setViewportSize({ width: 1280, height: 800 })
  await olga.goto('/admin/export')
  await olga.getByRole('button', { name: 'Start export' }).click()
  const archives = olga.getByRole('list', { name: 'Archives' })
  const download = archives.getByRole('button', { name: 'Download' })
  await expect(download).toBeVisible()
  await expectAccessible(olga)
  const file = olga.waitForEvent('download')
  await download.click()
  expect((await readFile(await (await file).path())).subarray(0, 2).toString()).toBe('PK')
  await archives.getByRole('button', { name: 'Delete archive' }).click()
  await expect(archives).toHaveCount(0)

  const bob = await person('Boris Kahn', { address })
  await bob.getByRole('button', { name: 'Settings' }).click()
  const settings = bob.getByRole('dialog', { name: 'Settings' })
  await settings.getByRole('button', { name: 'Your data' }).click()
  await settings.getByRole('button', { name: 'Start export' }).click()
  await expect(settings.getByRole('list', { name: 'Archives' })).toContainText('My data')
  await expect(settings.getByRole('button', { name: 'Download' })).toBeVisible()
})

test('the owner sees what a rule would delete before it is set, and holds a person’s messages', async ({ person }) => {
  const { address } = parley
  const bob = await person('Bruno Kahn', { address, open: false })
  await callApi(bob, 'POST', '/api/channels', { name: 'records' })
  await olga.goto('/admin/retention')
  await expect(olga.getByText('All messages are kept.')).toBeVisible()
  await olga.getByRole('combobox', { name: 'Channel or person' }).click()
  await olga.getByRole('option', { name: /^Bruno Kahn/ }).click()
  await olga.getByLabel('Reason (optional)').fill('A dispute')
  await olga.getByRole('button', { name: 'Place hold' }).click()
  const holds = olga.getByRole('list', { name: 'Holds' })
  await expect(holds).toContainText('Bruno KahnA dispute')

  await olga.getByRole('combobox', { name: 'Where' }).click()
  await olga.getByRole('option', { name: '#records' }).click()
  await olga.getByRole('combobox', { name: 'Rule' }).click()
  await olga.getByRole('option', { name: 'Delete after some days' }).click()
  await olga.getByLabel('Days', { exact: true }).fill('90')
  await expectAccessible(olga)
  await olga.getByRole('button', { name: 'Preview' }).click()
  const question = olga.getByRole('dialog', { name: 'Delete old messages?' })
  await expect(question).toContainText('about 0 messages')
  await question.getByRole('button', { name: 'Set and delete' }).click()
  await expect(olga.getByRole('list', { name: 'Channels with their own rule' })).toContainText('#records90 days')
  await holds.getByRole('button', { name: 'Lift' }).click()
  await expect(holds).toHaveCount(0)
  await olga.goto('/admin/audit')
  const log = olga.getByRole('list', { name: 'Audit log' })
  await expect(log).toContainText('Olga Owner lifted the hold on Bruno Kahn')
  await expect(log).toContainText('Olga Owner set that messages in #records are kept for 90 days')
})
