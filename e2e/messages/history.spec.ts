import type { Page } from '@playwright/test'
import { failUntilRetried } from '../support/failing.ts'
import { callApi, createChannel, expect, message, sendMessages, test, uniqueName } from '../support/fixtures.ts'
import { keepNothing } from '../support/settings.ts'
import { settled } from '../support/settled.ts'
import { conversation, createSharedChannel } from '../support/threads.ts'

const lineAt = (i: number) =>
  `line ${i + 1}${i % 7 === 0 ? `\n\nand\nmore\nof\nit` : ''}${i % 11 === 0 ? ' word'.repeat(120) : ''}`
const lines = (count: number) => Array.from({ length: count }, (_, i) => lineAt(i))
const toTop = (page: Page) => conversation(page).evaluate((list) => list.scrollTo(0, 0))

test('older messages come while one scrolls up and move nothing, nor does a new one; a click leads back to the end', async ({
  person,
  server,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { open: false })
  const id = await createSharedChannel(ada)
  const address = `${server.address}/channels/${id}`
  await sendMessages(ada, ['the very first', ...lines(80)], address)
  await callApi(bob, 'POST', `/api/channels/${id}/join`)
  // Holds back the older page, so that it arrives while nothing else happens.
  const waiting: (() => Promise<void>)[] = []
  const pages = '**/api/messages/channel/**before=**'
  await bob.route(pages, (route) => void waiting.push(() => route.continue()))
  await bob.goto(address)
  await expect(message(bob, 'line 80')).toBeInViewport()
  await sendMessages(ada, ['right at the bottom'], address)
  await expect(message(bob, 'right at the bottom')).toBeInViewport()

  const oldest = conversation(bob).getByRole('article').first()
  await expect(async () => {
    await toTop(bob)
    expect(waiting).toHaveLength(1)
    await expect(oldest).toBeInViewport({ timeout: 300 })
  }).toPass()
  const text = (await oldest.locator('.prose').innerText()).split('\n')[0] as string
  const row = conversation(bob).locator('.prose').getByText(text, { exact: true })
  await settled(bob)
  const before = await row.boundingBox()
  await waiting[0]?.()
  // The row stays in place because the list has scrolled by the height of the older ones.
  await expect.poll(() => conversation(bob).evaluate((list) => list.scrollTop)).toBeGreaterThan(0)
  await settled(bob)
  expect(Math.abs(((await row.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThanOrEqual(1)
  await bob.unrouteAll({ behavior: 'ignoreErrors' })

  const first = message(bob, 'the very first')
  await expect(async () => {
    await toTop(bob)
    await expect(first).toBeInViewport({ timeout: 300 })
  }).toPass()
  await settled(bob)
  const place = await first.boundingBox()
  const heightOf = () => conversation(bob).evaluate((it) => it.scrollHeight)
  const height = await heightOf()
  await sendMessages(ada, ['far below'], address)
  await expect.poll(heightOf).toBeGreaterThan(height)
  expect(await first.boundingBox()).toEqual(place)
  await bob.getByRole('button', { name: 'Jump to latest' }).click()
  await expect(message(bob, 'far below')).toBeInViewport()
})

test('messages, or older ones, that fail to load say so and can be retried', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await createChannel(ada, uniqueName('states'))
  await expect(ada.getByText('No messages yet')).toBeVisible()
  await sendMessages(ada, lines(70))
  await expect(message(ada, 'line 70')).toBeVisible()
  await failUntilRetried(ada, '**/api/messages/channel/**', (route) => route.fulfill({ status: 400, json: {} }))
  let attempts = 0
  const pages = '**/api/messages/channel/**before=**'
  await ada.route(pages, (route) => {
    attempts++
    return route.abort()
  })
  await ada.reload()
  await expect(ada.getByText('Failed to load messages')).toBeVisible()
  await ada.getByRole('button', { name: 'Try again' }).click()
  await expect(message(ada, 'line 70')).toBeInViewport()
  await expect(async () => {
    await toTop(ada)
    await expect(ada.getByText('Failed to load messages.')).toBeVisible({ timeout: 1000 })
  }).toPass()
  const button = ada.getByRole('button', { name: 'Try again' })
  await expect(async () => {
    const before = attempts
    // The list also retries automatically, during which the button is hidden.
    await button.click({ timeout: 1000 })
    await expect.poll(() => attempts, { timeout: 1000 }).toBeGreaterThan(before)
  }).toPass()
  await ada.unroute(pages)
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 1000 })
    await expect(ada.getByText('Failed to load messages.')).toBeHidden({ timeout: 1000 })
  }).toPass()
  await expect(async () => {
    await toTop(ada)
    await expect(message(ada, 'line 12')).toBeVisible({ timeout: 300 })
  }).toPass()
})
