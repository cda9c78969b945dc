import { createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { leave, nextReady } from '../support/live.ts'
import { createSharedChannel } from '../support/threads.ts'

const bar = /Connection lost/
const gaveUp = /Can't reach Parley/

test('a lost connection is shown, and the next one fetches what was missed', async ({ person, network }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { address: network.address })
  await createSharedChannel(ada, bob)
  await say(ada, 'before the cut')
  await expect(message(bob, 'before the cut')).toBeVisible()
  network.cut()
  await expect(bob.getByRole('status').filter({ hasText: bar })).toBeVisible()
  await say(ada, 'said meanwhile')
  network.restore()
  await expect(bob.getByText(bar)).toHaveCount(0)
  await expect(message(bob, 'said meanwhile')).toBeVisible()
})

test('the connection bar shows that the network is down, and disappears when it is back', async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  await createChannel(ada, uniqueName('offline'))
  network.cut()
  await ada.context().setOffline(true)
  await expect(ada.getByText("You're offline. Messages will be sent when you reconnect.")).toBeVisible()
  await say(ada, 'written offline')
  network.restore()
  await ada.context().setOffline(false)
  await expect(ada.getByText("You're offline")).toHaveCount(0)
  await expect(message(ada, 'Waiting to send')).toHaveCount(0)
})

test('a network lost while the page loads is shown', { tag: '@long' }, async ({ person }) => {
  // A browser with an empty cache.
  const page = await person('Ada Lovelace', { open: false })
  // The page fetches messages at once, and is never idle while that request is pending.
  await page.route('**/api/messages/channel/**', () => {})
  await Promise.all([page.waitForRequest('**/api/messages/channel/**'), page.goto('/', { waitUntil: 'commit' })])
  await page.context().setOffline(true)
  await expect(page.getByText("You're offline. Messages will be sent when you reconnect.")).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText("You're offline")).toHaveCount(0)
})

test('when the attempts are used up the bar stays; returning to the page or the button reconnects', {
  tag: '@long',
}, async ({ person, network }) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  await createChannel(ada, uniqueName('patience'))
  await ada.clock.install()
  // Only an established connection has retries to use up.
  const comeBack = await leave(ada)
  const live = nextReady(ada)
  await comeBack()
  await live
  await say(ada, 'here')
  await expect(message(ada, 'here')).toBeVisible()
  network.cut()
  const giveUp = () =>
    expect(async () => {
      await ada.clock.runFor(10_000)
      await expect(ada.getByText(gaveUp)).toBeVisible({ timeout: 200 })
    }).toPass()
  await giveUp()
  network.restore()
  const again = nextReady(ada)
  await ada.evaluate(() => window.dispatchEvent(new Event('focus')))
  await again
  await expect(ada.getByText(gaveUp)).toHaveCount(0)

  network.cut()
  await giveUp()
  const once = nextReady(ada)
  // Before the network is back, when the page would reconnect by itself.
  await ada.getByRole('button', { name: 'Reconnect' }).click()
  network.restore()
  await once
  await expect(ada.getByText(gaveUp)).toHaveCount(0)
})
