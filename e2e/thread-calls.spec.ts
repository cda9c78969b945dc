import { ask, channelOn, createChannel, expect, meOn, test, usernameOf } from './people.ts'
import { joinedBy } from './sidebar.ts'

test('a mention in a thread calls from the title and the icon too, and nobody is told that nothing is unread', async ({
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
  await expect(bob.getByText('Your threads have new replies')).toBeVisible()
  await expect(bob.getByText('Nothing is unread')).toHaveCount(0)
})
