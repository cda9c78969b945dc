import { readFile } from 'node:fs/promises'
import { expectAccessible } from '../support/accessibility.ts'
import { createChannel, expect, test, uniqueName, userOn } from '../support/fixtures.ts'
import { chooseFromWorkspaceMenu } from '../support/sidebar.ts'

test('the owner reads who did what, filters it by topic, person and words, and downloads it', async ({
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

  // The keys go from line to line and open one.
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
  await olga.getByRole('button', { name: 'Remove filter: Ivy Watched' }).click()
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

test('the owner opens the administration from the menu; for members the page does not exist', async ({
  person,
  owner: olga,
}) => {
  const mel = await person('Mel Member')
  await olga.goto('/')
  await chooseFromWorkspaceMenu(olga, 'Administration')
  await expect(olga.getByRole('heading', { name: 'Administration', level: 1 })).toBeVisible()
  const sections = olga.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('link', { name: 'People and invites' }).click()
  await expect(olga).toHaveURL(/\/admin\/people$/)
  await olga.getByPlaceholder('Search people...').fill((await userOn(mel)).username)
  await expect(olga.getByRole('list', { name: 'People' })).toContainText('Mel Member')
  await sections.getByRole('link', { name: 'Health' }).click()
  await expect(olga.getByText('One node is running.')).toBeVisible()
  await olga.goto('/admin/nothing')
  await expect(olga.getByRole('heading', { name: 'Page not found' })).toBeVisible()

  await mel.goto('/admin/people')
  await expect(mel.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(mel.getByRole('list', { name: 'People' })).toHaveCount(0)
  await mel.getByRole('button', { name: /^Parley/ }).click()
  await expect(mel.getByRole('menuitem', { name: 'Mark everything as read' })).toBeVisible()
  await expect(mel.getByRole('menuitem', { name: 'Administration' })).toHaveCount(0)
})

test('the owner exports the workspace, and everybody their own data', async ({ person, owner: olga }) => {
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

  const bob = await person('Bob Kahn')
  await bob.getByRole('button', { name: 'Settings' }).click()
  const settings = bob.getByRole('dialog', { name: 'Settings' })
  await settings.getByRole('button', { name: 'Your data' }).click()
  await settings.getByRole('button', { name: 'Start export' }).click()
  await expect(settings.getByRole('list', { name: 'Archives' })).toContainText('My data')
  await expect(settings.getByRole('button', { name: 'Download' })).toBeVisible()
})

test('the owner sees what a rule would delete before it is set, and holds a person’s messages', async ({
  person,
  owner: olga,
}) => {
  const hal = await person('Hal Held', { open: false })
  const { username } = await userOn(hal)
  const records = uniqueName('records')
  await createChannel(hal, records)
  await olga.goto('/admin/retention')
  await expect(olga.getByText('All messages are kept.')).toBeVisible()
  await olga.getByRole('combobox', { name: 'Channel or person' }).fill(username)
  await olga.getByRole('option', { name: /^Hal Held/ }).click()
  await olga.getByLabel('Reason (optional)').fill('A dispute')
  await olga.getByRole('button', { name: 'Place hold' }).click()
  const holds = olga.getByRole('list', { name: 'Holds' })
  await expect(holds).toContainText('Hal HeldA dispute')

  await olga.getByRole('combobox', { name: 'Where' }).click()
  await olga.getByRole('option', { name: `#${records}` }).click()
  await olga.getByRole('combobox', { name: 'Rule' }).click()
  await olga.getByRole('option', { name: 'Delete after some days' }).click()
  await olga.getByLabel('Days', { exact: true }).fill('90')
  await expectAccessible(olga)
  await olga.getByRole('button', { name: 'Preview' }).click()
  const question = olga.getByRole('dialog', { name: 'Delete old messages?' })
  await expect(question).toContainText('about 0 messages')
  await question.getByRole('button', { name: 'Set and delete' }).click()
  await expect(olga.getByRole('list', { name: 'Channels with their own rule' })).toContainText(`#${records}90 days`)
  await holds.getByRole('button', { name: 'Lift' }).click()
  await expect(holds).toHaveCount(0)
  await olga.goto('/admin/audit')
  const log = olga.getByRole('list', { name: 'Audit log' })
  await expect(log).toContainText('Olga Owner lifted the hold on Hal Held')
  await expect(log).toContainText(`Olga Owner set that messages in #${records} are kept for 90 days`)
})
