import { readFile } from 'node:fs/promises'
import { expectAccessible } from '../support/accessibility.ts'
import { createChannel, expect, test, uniqueName, userOn } from '../support/fixtures.ts'

test('the owner reads who did what, filters it by topic, person and words, and downloads it', { tag: '@long' }, async ({
  person,
  owner: olga,
}) => {
  const ivy = await person('Ivy Watched', { open: false })
  const [harbour, lighthouse, pier] = ['harbour', 'lighthouse', 'pier'].map(uniqueName) as [string, string, string]
  await createChannel(ivy, harbour)
  await createChannel(olga, lighthouse)
  await olga.goto('/admin')
  await expect(olga).toHaveURL(/\/admin\/audit$/)
  const log = olga.getByRole('list', { name: 'Audit log' })
  await expect(log.getByRole('listitem').first()).toContainText(`Olga Owner created #${lighthouse}`)
  await expect(log).toContainText('Ivy Watched signed in')

  // Keys move between lines and open one.
  await createChannel(ivy, pier)
  await olga.getByRole('button', { name: 'Refresh' }).click()
  await expect(log.getByRole('listitem').first()).toContainText(`Ivy Watched created #${pier}`)
  await log.getByRole('listitem').first().getByRole('button').focus()
  await olga.keyboard.press('ArrowDown')
  await olga.keyboard.press('ArrowUp')
  await olga.keyboard.press('Enter')
  await expectAccessible(olga)
  await log.getByRole('button', { name: 'Only Ivy Watched' }).click()
  await expect(log).not.toContainText(lighthouse)
  await olga.getByText('Channels', { exact: true }).last().click()
  await expect(log).not.toContainText('signed in')
  await expect(log).toContainText(`#${harbour}`)
  await olga.getByRole('button', { name: 'Remove filter: Ivy Watched' }).press('Enter')
  await expect(olga.getByRole('radio', { name: '30 days' })).toBeFocused()
  await expect(log).toContainText(`#${lighthouse}`)
  await olga.getByRole('searchbox').fill(harbour)
  await expect(log.getByRole('listitem')).toHaveCount(1)
  const download = olga.waitForEvent('download')
  await olga.getByRole('button', { name: 'CSV' }).click()
  const file = await (await download).path()
  expect(await readFile(file, 'utf8')).toContain('channel_created,')
  await olga.getByRole('searchbox').fill('nobody did this')
  await expect(olga.getByText('Nothing matches these filters.')).toBeVisible()
})

test('the owner exports the workspace and holds a person’s messages; everybody exports their own data', {
  tag: '@long',
}, async ({ person, owner: olga }) => {
  const bob = await person('Bob Kahn')
  await olga.goto('/admin/export')
  await olga.getByRole('button', { name: 'Start export' }).click()
  const archives = olga.getByRole('list', { name: 'Archives' })
  const download = archives.getByRole('button', { name: 'Download' })
  await expect(download).toBeVisible()
  await expectAccessible(olga)
  const file = olga.waitForEvent('download')
  await download.click()
  expect((await readFile(await (await file).path())).subarray(0, 2).toString()).toBe('PK')
  await archives.getByRole('button', { name: 'Delete archive' }).press('Enter')
  await expect(archives).toHaveCount(0)
  await expect(olga.getByRole('button', { name: 'Start export' })).toBeFocused()

  await olga.goto('/admin/retention')
  const someone = olga.getByRole('combobox', { name: 'Channel or person' })
  await someone.fill((await userOn(bob)).username)
  await olga.getByRole('option', { name: /^Bob Kahn/ }).click()
  await expect(someone).toHaveValue(/^Bob Kahn/)
  await olga.getByLabel('Reason (optional)').fill('A dispute')
  await olga.getByRole('button', { name: 'Place hold' }).press('Enter')
  const holds = olga.getByRole('list', { name: 'Holds' })
  await expect(holds).toContainText('Bob KahnA dispute')
  // The focus stays next to the hold that was placed or lifted.
  await expect(someone).toHaveValue('')
  await expect(olga.getByRole('button', { name: 'Place hold' })).toBeFocused()
  await holds.getByRole('button', { name: 'Lift' }).press('Enter')
  await expect(holds).toHaveCount(0)
  await expect(someone).toBeFocused()
  await olga.goto('/admin/audit')
  const log = olga.getByRole('list', { name: 'Audit log' })
  await expect(log).toContainText('Olga Owner lifted the hold on Bob Kahn')

  await bob.getByRole('button', { name: 'Settings' }).click()
  const settings = bob.getByRole('dialog', { name: 'Settings' })
  await settings.getByRole('button', { name: 'Your data' }).click()
  await settings.getByRole('button', { name: 'Start export' }).click()
  await expect(settings.getByRole('list', { name: 'Archives' })).toContainText('My data')
  await expect(settings.getByRole('button', { name: 'Download' })).toBeVisible()
})
