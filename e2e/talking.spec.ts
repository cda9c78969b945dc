import { composer, expect, message, say, sayMany, test, texts } from './people.ts'

test('two people sign up and talk; each sees the other at once', async ({ person }) => {
  const ada = await person('Ada Lovelace', { byForm: true })
  const bob = await person('Bob Kahn', { byForm: true })
  await say(ada, 'Hello **Bob**, can you see this?')
  await expect(message(bob, 'Hello Bob, can you see this?')).toContainText('Ada Lovelace')
  await expect(message(bob, 'Hello Bob').locator('strong')).toHaveText('Bob')
  await say(bob, 'Loud and clear')
  await expect(message(ada, 'Loud and clear')).toContainText('Bob Kahn')
  expect(await texts(ada)).toEqual(await texts(bob))
  await ada.reload()
  await expect(message(ada, 'Loud and clear')).toBeVisible()
})

test('one loses the network, the other talks on; when it is back both see the same', async ({ person, line }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { address: line.address })
  await say(ada, 'before the cut')
  await expect(message(bob, 'before the cut')).toBeVisible()

  line.pull()
  await bob.context().setOffline(true)
  for (const text of ['said in the dark 1', 'said in the dark 2']) await say(ada, text)
  await say(bob, 'written in the dark 1')
  await say(bob, 'written in the dark 2')
  await expect(message(bob, 'written in the dark 1')).toContainText('Queued. Waiting for the connection')
  await expect(composer(bob)).toHaveValue('')
  await say(ada, 'said in the dark 3')

  line.plug()
  await bob.context().setOffline(false)
  await expect(message(ada, 'written in the dark 2')).toBeVisible({ timeout: 40_000 })
  await expect(message(bob, 'said in the dark 3')).toBeVisible({ timeout: 40_000 })
  await expect(bob.getByText('Queued')).toHaveCount(0)
  const seen = await texts(ada)
  expect(await texts(bob)).toEqual(seen)
  const dark = seen.filter((text) => text.includes('in the dark'))
  expect(dark.filter((text) => text.startsWith('said'))).toEqual([1, 2, 3].map((n) => `said in the dark ${n}`))
  expect(dark.filter((text) => text.startsWith('written'))).toEqual([1, 2].map((n) => `written in the dark ${n}`))
})

test('a tab that slept while others talked shows the same as they do when it wakes', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await say(ada, 'before the sleep')
  await expect(message(bob, 'before the sleep')).toBeVisible()
  const device = await bob.context().newCDPSession(bob)
  await device.send('Page.setWebLifecycleState', { state: 'frozen' })
  await sayMany(ada, ['said to a sleeper 1', 'said to a sleeper 2', 'said to a sleeper 3'])
  await device.send('Page.setWebLifecycleState', { state: 'active' })
  await expect(message(bob, 'said to a sleeper 3')).toBeVisible({ timeout: 20_000 })
  expect(await texts(bob)).toEqual(await texts(ada))
})

test('an edit and a deletion show at once, and keep their place', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await say(ada, 'first draft of a thought')
  await say(ada, 'a thought better not said')
  await expect(message(bob, 'a thought better not said')).toBeVisible()
  const { token } = await (await ada.request.get('/api/auth/token')).json()
  const headers = { authorization: `Bearer ${token}` }
  const channelId = new URL(ada.url()).pathname.split('/').at(-1)
  const page = await (await ada.request.get(`/api/messages/channel/${channelId}`, { headers })).json()
  const idOf = (text: string) => page.find((it: { content: string }) => it.content === text).id
  const edited = { headers, data: { content: 'second thoughts' } }
  expect((await ada.request.put(`/api/messages/${idOf('first draft of a thought')}`, edited)).status()).toBe(200)
  await expect(message(bob, 'second thoughts')).toContainText('edited')
  expect((await ada.request.delete(`/api/messages/${idOf('a thought better not said')}`, { headers })).status()).toBe(
    204,
  )
  await expect(message(bob, 'Message deleted')).toBeVisible()
  await expect(bob.getByText('a thought better not said')).toHaveCount(0)
  await bob.reload()
  await expect(message(bob, 'second thoughts')).toContainText('edited')
  await expect(message(bob, 'Message deleted').last()).toBeVisible()
})
