import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
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

test('the owner makes a group, whose people are told when somebody mentions it', async ({ person }) => {
  const { address } = parley
  const ada = await person('Ada Lovelace', { address })
  const bob = await person('Bob Kahn', { address })
  const channel = (await callApi(olga, 'POST', '/api/channels', { name: 'studio' })) as { id: string }
  await olga.goto('/admin/groups')
  await expect(olga.getByText('There are no groups yet.')).toBeVisible()
  await olga.getByRole('button', { name: 'New group' }).click()
  const dialog = olga.getByRole('dialog', { name: 'New group' })
  await dialog.getByLabel('Name', { exact: true }).fill('Design team')
  await dialog.getByLabel('Mention').fill('design')
  await dialog.getByRole('combobox').last().fill('bob')
  await dialog.getByRole('option', { name: /Bob Kahn/ }).click()
  await expectAccessible(olga)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const list = olga.getByRole('list', { name: 'Groups' })
  await expect(list.getByRole('listitem')).toContainText('1 person')
  await expectAccessible(olga)

  // The group joins the channel; a mention of it, completed in the composer, tells Bob, not Ada.
  await callApi(ada, 'POST', `/api/channels/${channel.id}/join`)
  await olga.goto(`/channels/${channel.id}`)
  const [group] = (await callApi(olga, 'GET', '/api/groups')) as { id: string }[]
  await callApi(olga, 'POST', `/api/channels/${channel.id}/invite-group`, { groupId: group?.id })
  const box = olga.getByRole('textbox', { name: /Message/ })
  await box.click()
  await box.pressSequentially('look, @des')
  await expect(olga.getByRole('option', { name: /@design/ })).toBeVisible()
  await olga.keyboard.press('Tab')
  await olga.keyboard.press('Enter')
  await expect(olga.locator('.at', { hasText: '@design' })).toBeVisible()
  // His page may show the message before it knows his groups.
  const isKnown = Promise.withResolvers<void>()
  await bob.route('**/api/groups', async (route) => {
    await isKnown.promise
    await route.continue()
  })
  await bob.goto(`/channels/${channel.id}`)
  await expect(bob.locator('.at', { hasText: '@design' })).toBeVisible()
  const row = bob.getByRole('article').filter({ hasText: '@design' })
  const paper = () => row.evaluate((it) => getComputedStyle(it).backgroundColor)
  const plain = await paper()
  isKnown.resolve()
  await expect(bob.locator('.at-me', { hasText: '@design' })).toBeVisible()
  await expect.poll(paper).not.toBe(plain)
  await ada.goto(`/channels/${channel.id}`)
  await expect(ada.locator('.at:not(.at-me)', { hasText: '@design' })).toBeVisible()

  await olga.goto('/admin/groups')
  await list.getByRole('button', { name: 'Delete @design' }).click()
  await olga.getByRole('dialog').getByRole('button', { name: 'Delete group' }).click()
  await expect(olga.getByText('There are no groups yet.')).toBeVisible()
})
