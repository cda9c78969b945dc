import type { Page } from '@playwright/test'
import { callApi, composer, expect, message, messageTexts, say, test, userOn } from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { createSharedChannel } from '../support/threads.ts'

const typing = (page: Page) => page.getByText(/ (is|are) typing$/)
const status = (page: Page, text: string) => message(page, text).getByRole('img', { name: 'Status: ' })
const background = (page: Page, text: string) =>
  message(page, text).evaluate((row) => getComputedStyle(row).backgroundColor)

test('two people chat: what one types, writes and is up to shows at once to the other, and is there after a reload', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { username } = await userOn(bob)
  await createSharedChannel(ada, bob)
  // The indicator is shown for five seconds, so on a slow machine she types again.
  await expect(async () => {
    await composer(ada).pressSequentially('w')
    await expect(typing(bob)).toHaveText('Ada Lovelace is typing', { timeout: 2000 })
  }).toPass()
  await expect(typing(ada)).toHaveCount(0)
  await expect(bob.getByText('Ada Lovelace started typing')).toHaveAttribute('aria-live', 'polite')

  await say(ada, 'Hello **Bob**, can you see this?')
  await expect(message(bob, 'Hello Bob, can you see this?')).toContainText('Ada Lovelace')
  await expect(message(bob, 'Hello Bob').locator('strong')).toHaveText('Bob')
  await say(bob, 'Loud and clear')
  await expect(message(ada, 'Loud and clear')).toContainText('Bob Kahn')
  for (const page of [ada, bob])
    expect(await messageTexts(page)).toEqual(['Hello Bob, can you see this?', 'Loud and clear'])

  await say(ada, `for @${username}`)
  await say(ada, 'for everyone, @channel')
  await say(ada, 'for nobody')
  await expect(message(bob, 'for nobody')).toBeVisible()
  await expect(bob.locator('.at-me')).toHaveText([`@${username}`, '@channel'])
  const plain = await background(bob, 'for nobody')
  await expect.poll(() => background(bob, `for @${username}`)).not.toBe(plain)
  await expect.poll(() => background(bob, 'for everyone')).not.toBe(plain)
  await ada.mouse.move(0, 0)
  await expect.poll(() => background(ada, 'for everyone')).toBe(plain)

  // The status is next to the name, which is not repeated in grouped messages.
  await callApi(ada, 'PUT', '/api/users/status', { user_status: '🌊' })
  for (const page of [ada, bob]) {
    await expect(status(page, 'for @')).toHaveText('🌊')
    await expect(status(page, 'for @')).toHaveAttribute('title', 'Status: 🌊')
    await expect(status(page, 'for nobody')).toHaveCount(0)
  }
  await callApi(ada, 'PUT', '/api/users/status', { user_status: '😊' })
  await expect(status(bob, 'for @')).toHaveCount(0)
  await ada.reload()
  await expect(message(ada, 'Loud and clear')).toBeVisible()
})

test('after one user’s network outage both see the same messages', { tag: '@long' }, async ({ person, network }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { address: network.address })
  await createSharedChannel(ada, bob)
  await say(ada, 'before the cut')
  await expect(message(bob, 'before the cut')).toBeVisible()
  await untilPreloaded(bob, 'preloaded')

  network.cut()
  await bob.context().setOffline(true)
  for (const text of ['said in the dark 1', 'said in the dark 2']) await say(ada, text)
  await say(bob, 'written in the dark 1')
  await say(bob, 'written in the dark 2')
  await expect(message(bob, 'written in the dark 1')).toContainText('Waiting to send: no connection')
  await expect(composer(bob)).toHaveValue('')
  await say(ada, 'said in the dark 3')

  network.restore()
  await bob.context().setOffline(false)
  await expect(message(ada, 'written in the dark 2')).toBeVisible({ timeout: 90_000 })
  await expect(message(bob, 'said in the dark 3')).toBeVisible({ timeout: 90_000 })
  await expect(bob.getByText('Waiting to send')).toHaveCount(0)
  // Ada's own message may still be last, while it waits for its response.
  await expect.poll(async () => (await messageTexts(ada)).join('|') === (await messageTexts(bob)).join('|')).toBe(true)
  const seen = await messageTexts(ada)
  const dark = seen.filter((text) => text.includes('in the dark'))
  expect(dark.filter((text) => text.startsWith('said'))).toEqual([1, 2, 3].map((n) => `said in the dark ${n}`))
  expect(dark.filter((text) => text.startsWith('written'))).toEqual([1, 2].map((n) => `written in the dark ${n}`))
})
