import { expectAccessible } from '../support/accessibility.ts'
import { callApi, createChannel, expect, test, uniqueName, userOn } from '../support/fixtures.ts'

test('the owner makes a group, whose people are told when somebody mentions it', { tag: '@long' }, async ({
  person,
  owner: olga,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { open: false })
  const { username } = await userOn(bob)
  const channelId = await createChannel(olga, uniqueName('studio'))
  await olga.goto('/admin/groups')
  await expect(olga.getByText('There are no groups yet.')).toBeVisible()
  await olga.getByRole('button', { name: 'New group' }).click()
  const dialog = olga.getByRole('dialog', { name: 'New group' })
  await dialog.getByLabel('Name', { exact: true }).fill('Design team')
  await dialog.getByLabel('Mention').fill('design')
  await dialog.getByRole('combobox').last().fill(username)
  await dialog.getByRole('option', { name: new RegExp(`@${username}`) }).click()
  await expectAccessible(olga)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const list = olga.getByRole('list', { name: 'Groups' })
  await expect(list.getByRole('listitem')).toContainText('1 person')

  // The group joins the channel; a mention of it, completed in the composer, notifies Bob but not Ada.
  await callApi(ada, 'POST', `/api/channels/${channelId}/join`)
  await olga.goto(`/channels/${channelId}`)
  const [group] = (await callApi(olga, 'GET', '/api/groups')) as { id: string }[]
  await callApi(olga, 'POST', `/api/channels/${channelId}/invite-group`, { groupId: group?.id })
  const box = olga.getByRole('textbox', { name: /Message/ })
  await box.click()
  await box.pressSequentially('look, @des')
  await expect(olga.getByRole('option', { name: /@design/ })).toBeVisible()
  await olga.keyboard.press('Tab')
  await olga.keyboard.press('Enter')
  await expect(olga.locator('.at', { hasText: '@design' })).toBeVisible()
  // His page may show the message before it has loaded his groups.
  const isKnown = Promise.withResolvers<void>()
  await bob.route('**/api/groups', async (route) => {
    await isKnown.promise
    await route.continue()
  })
  await bob.goto(`/channels/${channelId}`)
  await expect(bob.locator('.at', { hasText: '@design' })).toBeVisible()
  const row = bob.getByRole('article').filter({ hasText: '@design' })
  const paper = () => row.evaluate((it) => getComputedStyle(it).backgroundColor)
  const plain = await paper()
  isKnown.resolve()
  await expect(bob.locator('.at-me', { hasText: '@design' })).toBeVisible()
  await expect.poll(paper).not.toBe(plain)
  await ada.goto(`/channels/${channelId}`)
  await expect(ada.locator('.at:not(.at-me)', { hasText: '@design' })).toBeVisible()

  await olga.goto('/admin/groups')
  await list.getByRole('button', { name: 'Delete @design' }).click()
  await olga.getByRole('dialog').getByRole('button', { name: 'Delete group' }).click()
  await expect(olga.getByText('There are no groups yet.')).toBeVisible()
})
