import type { Page } from '@playwright/test'
import { composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { nextReady } from '../support/live.ts'
import { recordTexts } from '../support/recorded.ts'
import { sendConcurrently } from '../support/send-many.ts'
import { settled } from '../support/settled.ts'

// Offline, the browser's network is gone while its socket still appears to be open.

const bar = (page: Page) => page.locator('.connection-bar')
const topOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())?.y
const retry = (page: Page, text: string) => message(page, text).getByRole('button', { name: 'Retry' })

test('offline is said at once and moves neither the header nor what one reads; Retry waits for the network; the recovery is said', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('tunnel'))
  await sendConcurrently(ada, 40, (index) => `row ${index}`)
  await expect(ada.locator('article')).not.toHaveCount(0)
  const last = ada.locator('article').last()
  await expect(last).toBeVisible()
  const places = async () => [await topOf(ada, 'main h1'), (await last.boundingBox())?.y, await topOf(ada, 'textarea')]
  await expect.poll(async () => (await places()).every((place) => place !== undefined)).toBe(true)
  await settled(ada)
  const before = await places()
  await untilPreloaded(ada, 'preloaded')

  await ada.context().setOffline(true)
  await expect(bar(ada)).toHaveText(/You're offline\. Messages will be sent when you reconnect\./)
  await expect.poll(places).toEqual(before)
  // It covers nothing: the list starts below it.
  const box = await bar(ada).boundingBox()
  expect(await topOf(ada, 'main section[aria-label=Messages]')).toBe((box?.y ?? 0) + (box?.height ?? 0))
  await say(ada, 'from the tunnel')
  await expect(message(ada, 'from the tunnel')).toContainText('Waiting to send: no connection')
  await expect(message(ada, 'from the tunnel').getByRole('button', { name: 'Edit' })).toBeVisible()
  await expect(retry(ada, 'from the tunnel')).toHaveCount(0)

  // The network is back but the server doesn't respond, so the button may help. The page also retries automatically, so requests
  // fail until it is pressed.
  let isPressed = false
  await ada.exposeFunction('notePressed', () => {
    isPressed = true
  })
  await ada.evaluate(() => document.addEventListener('pointerdown', () => Reflect.get(window, 'notePressed')(), true))
  await ada.route('**/api/messages', (route) => (isPressed ? route.continue() : route.abort()))
  const expectStatus = await recordTexts(ada, '[role=status]')
  await ada.context().setOffline(false)
  await expectStatus('Connected')
  await expect(bar(ada)).toHaveCount(0)
  await expect(retry(ada, 'from the tunnel')).toBeVisible()
  await retry(ada, 'from the tunnel').click()
  await expect(message(ada, 'from the tunnel')).not.toContainText('Waiting to send')
  await ada.unrouteAll({ behavior: 'ignoreErrors' })
})

test('on a phone the bar is one line, also while the page loads', async ({ person, network }) => {
  const ada = await person('Ada Lovelace', {
    address: network.address,
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
    open: false,
  })
  const text = ada.getByText("You're offline. Messages will be sent later.")
  // The page fetches messages immediately, and is never idle while that request is pending.
  await ada.route('**/api/messages/channel/**', () => {})
  await Promise.all([ada.waitForRequest('**/api/messages/channel/**'), ada.goto('/', { waitUntil: 'commit' })])
  await ada.context().setOffline(true)
  await expect(text).toBeVisible()
  await ada.context().setOffline(false)
  await expect(text).toHaveCount(0)
  await ada.unrouteAll()

  // Only a connection that was open can be lost.
  const live = nextReady(ada)
  await ada.goto('/')
  await live
  await ada.context().setOffline(true)
  await expect(text).toBeVisible()
  const isOneLine = () =>
    text.evaluate((it) => it.getClientRects().length === 1 && it.scrollWidth <= it.clientWidth + 1)
  expect((await text.boundingBox())?.height).toBeLessThan(30)
  expect(await isOneLine()).toBe(true)
  // In landscape orientation, it has more room.
  await ada.setViewportSize({ width: 844, height: 390 })
  await expect(ada.getByText("You're offline. Messages will be sent when you reconnect.")).toBeVisible()
  await ada.setViewportSize({ width: 390, height: 844 })
  await expect(text).toBeVisible()
  await ada.context().setOffline(false)
  await expect(bar(ada)).toHaveCount(0)
  network.cut()
  await expect(ada.getByText('Reconnecting…', { exact: true })).toBeVisible()
})

test('a message written offline, where the end of the list is not loaded, is announced above the composer and can be shown', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = uniqueName('long')
  const id = await createChannel(ada, name)
  await bob.goto(`/channels/${id}`)
  await bob.getByRole('button', { name: 'Join channel' }).click()
  await expect(composer(bob)).toBeVisible()
  await bob.goto('about:blank')
  await sendConcurrently(ada, 240, (index) => `long ago ${index}`)
  await bob.goto(`/channels/${id}`)
  await expect(bob.getByText('New', { exact: true })).toBeVisible()
  await expect(composer(bob)).toBeFocused()
  await untilPreloaded(bob, 'preloaded')

  await bob.context().setOffline(true)
  await say(bob, 'where am I')
  const line = bob.getByRole('status').filter({ hasText: '1 message waiting to send' })
  await expect(line).toBeVisible()
  await expect(message(bob, 'where am I')).toHaveCount(0)
  await bob.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(message(bob, 'where am I')).toBeInViewport()
  await expect(bob.getByText("Some messages aren't loaded yet")).toBeVisible()
  await expect(line).toHaveCount(0)
  await expect(bob.getByText('Failed to load messages.')).toBeHidden()

  // Back online, it is sent, and the list is scrolled to its end.
  await bob.context().setOffline(false)
  await expect(message(bob, 'where am I')).toBeInViewport()
  await expect(message(bob, 'where am I')).not.toContainText('Waiting to send')
  await expect(bob.getByText("Some messages aren't loaded yet")).toHaveCount(0)
  await expect(message(ada, 'where am I')).toHaveCount(1)
})
