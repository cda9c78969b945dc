import { ask, channelOn, createChannel, expect, meOn, test, usernameOf } from '../support/fixtures.ts'
import { joinedBy, toast, undoOf } from '../support/sidebar.ts'

test('a mention in a thread shows in title and icon, is read with "Mark all as read", and returns with Undo', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { username } = await meOn(bob)
  const name = usernameOf('calls')
  await createChannel(ada, name)
  await joinedBy(bob, name)
  const channelId = channelOn(ada)
  const parent = await ask(ada, 'POST', '/api/messages', { channelId, content: 'the plan' })
  await ask(bob, 'PUT', '/api/channels/read', {})
  await ask(ada, 'POST', '/api/messages', { channelId, threadId: parent.id, content: `@${username} look` })
  await expect(bob).toHaveTitle(/^\(1\) /)
  expect(await bob.locator('link[rel=icon]').getAttribute('href')).toBe('/icon-calls.svg')
  await bob.keyboard.press('Shift+Escape')
  await expect(toast(bob, 'Marked as read: 1 thread')).toBeVisible()
  await expect(bob).not.toHaveTitle(/^\(1\) /)
  await expect(bob.getByRole('link', { name: /^Threads/ })).not.toContainText('1')
  await (await undoOf(bob, 'Marked as read: 1 thread')).click()
  await expect(bob).toHaveTitle(/^\(1\) /)
  await expect(bob.getByRole('link', { name: /^Threads/ })).toContainText('1')
  await bob.getByRole('button', { name: 'Mark everything as read' }).click()
  await expect(bob).not.toHaveTitle(/^\(1\) /)
  await expect(bob.getByRole('button', { name: 'Mark everything as read' })).toHaveCount(0)
})
