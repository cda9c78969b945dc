import { composer, expect, fillChannelForm, message, messageTexts, say, test, uniqueName } from '../support/fixtures.ts'

// A host name other than localhost, as on a LAN, where browsers have no randomUUID, no clipboard and no secure cookies.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), '--host-resolver-rules=MAP chat.test 127.0.0.1'] }),
})

test('two people chat over plain HTTP at a LAN address, also from two tabs', { tag: '@long' }, async ({
  person,
  server,
}) => {
  const address = `http://chat.test:${server.port}`
  const ada = await person('Ada Lovelace', { address, byForm: true })
  const bob = await person('Bob Kahn', { address, byForm: true })
  expect(await ada.evaluate(() => [window.isSecureContext, 'randomUUID' in crypto])).toEqual([false, false])
  await say(ada, 'no certificate here')
  await expect(message(bob, 'no certificate here')).toBeVisible()
  await bob.reload()
  await say(bob, 'none needed')
  await expect(message(ada, 'none needed')).toBeVisible()

  // Without Web Locks, messages pending in two tabs are sent once and in order.
  // Only the browser resolves this host name, so no request goes through the API.
  await fillChannelForm(ada, uniqueName('leases'))
  const other = await ada.context().newPage()
  await other.goto(ada.url())
  await expect(composer(other)).toBeVisible()
  expect(await other.evaluate(() => 'locks' in navigator)).toBe(false)
  await ada.context().route('**/api/messages', (route) => route.abort())
  await say(ada, 'one')
  await say(ada, 'two')
  await expect(message(other, 'one')).toContainText('Waiting to send')
  await say(other, 'three')
  await expect(message(ada, 'three')).toBeVisible()
  await expect(message(other, 'two')).toBeVisible()

  // Aborted attempts have no response.
  let answered = 0
  ada.context().on('response', (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith('/api/messages')) answered++
  })
  await ada.context().unroute('**/api/messages')
  await expect.poll(() => answered).toBe(3)
  await expect(other.getByText('Waiting to send')).toHaveCount(0)
  await ada.reload()
  await expect.poll(() => messageTexts(ada)).toEqual(['one', 'two', 'three'])
  expect(answered).toBe(3)
})
