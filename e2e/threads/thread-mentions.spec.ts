import { callApi, channelIdOn, createChannel, expect, test, uniqueName, userOn } from '../support/fixtures.ts'
import { chooseFromWorkspaceMenu, joinChannel, undoButton } from '../support/sidebar.ts'

test('a mention in a thread shows in title and icon, is read with "Mark all as read", and returns with Undo', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { username } = await userOn(bob)
  const name = uniqueName('calls')
  await createChannel(ada, name)
  await joinChannel(bob, name)
  const channelId = channelIdOn(ada)
  const parent = await callApi(ada, 'POST', '/api/messages', { channelId, content: 'the plan' })
  await callApi(bob, 'PUT', '/api/channels/read', {})
  await callApi(ada, 'POST', '/api/messages', { channelId, threadId: parent.id, content: `@${username} look` })
  await expect(bob).toHaveTitle(/^\(1\) /)
  await expect(bob.locator('link[rel=icon]')).toHaveAttribute('href', '/icon-calls.svg')
  await bob.keyboard.press('Shift+Escape')
  const undo = await undoButton(bob, 'Marked as read: 1 thread')
  await expect(bob).not.toHaveTitle(/^\(1\) /)
  await expect(bob.getByRole('link', { name: /^Threads/ })).not.toContainText('1')
  await undo.click()
  await expect(bob).toHaveTitle(/^\(1\) /)
  await expect(bob.getByRole('link', { name: /^Threads/ })).toContainText('1')
  await chooseFromWorkspaceMenu(bob, 'Mark everything as read')
  await expect(bob).not.toHaveTitle(/^\(1\) /)
})
