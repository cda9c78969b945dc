import type { Page } from '@playwright/test'
import { callApi, channelIdOn, expect, message, say, sendMessages, test } from '../support/fixtures.ts'
import { chooseAction, messageId } from '../support/message-rows.ts'
import { sendConcurrently } from '../support/send-many.ts'
import { settled } from '../support/settled.ts'
import { row } from '../support/sidebar.ts'
import { conversation, createSharedChannel, inConversation } from '../support/threads.ts'

const divider = (page: Page) => conversation(page).getByText('New', { exact: true })
const latest = (page: Page) => page.getByRole('button', { name: 'Jump to latest' })
const firstUnread = (page: Page) => page.getByRole('button', { name: 'Jump to first unread' })
const unreadOf = async (page: Page, channelId: string) =>
  (await callApi(page, 'GET', `/api/channels/${channelId}`)).unread
const linesOf = (count: number, name: string) => Array.from({ length: count }, (_, i) => `${name} ${i + 1}`)

/** A channel of Ada's in which Bob has read everything; he views #general now. */
async function away(ada: Page, bob: Page, old: number) {
  await createSharedChannel(ada, bob)
  const channelId = channelIdOn(ada)
  const { name } = await callApi(ada, 'GET', `/api/channels/${channelId}`)
  await sendMessages(ada, linesOf(old, 'old'))
  await expect(message(bob, `old ${old}`)).toBeInViewport()
  await expect.poll(() => unreadOf(bob, channelId)).toBe(0)
  await row(bob, 'general').click()
  await expect(bob.getByRole('heading', { name: 'general' })).toBeVisible()
  return { channelId, open: () => bob.locator(`a[href$="${channelId}"]`).first().click(), name }
}

test('a channel opens at the first unread message, however many there are, and is read as far as it was on screen', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { channelId, open } = await away(ada, bob, 30)
  await say(ada, 'the first new one')
  await messageId(ada, 'the first new one')
  await sendConcurrently(ada, 130, (index) => `new ${index}`)
  await sendMessages(ada, ['the last new one'])
  await expect.poll(() => unreadOf(bob, channelId)).toBe(132)

  await open()
  await expect(divider(bob)).toBeInViewport()
  await expect(message(bob, 'the first new one')).toBeInViewport()
  await expect(message(bob, 'old 30')).toBeInViewport()
  await expect(message(bob, 'the last new one')).toHaveCount(0)
  await expect(bob.getByRole('button', { name: /^Jump to latest · \d+ new$/ })).toBeVisible()
  await expect.poll(() => unreadOf(bob, channelId)).toBeLessThan(132)
  expect(await unreadOf(bob, channelId)).toBeGreaterThan(80)

  // Newer pages load while he scrolls down to the end.
  await conversation(bob).hover()
  await expect(async () => {
    await bob.mouse.wheel(0, 2500)
    await expect(message(bob, 'the last new one')).toBeInViewport({ timeout: 50 })
  }).toPass()
  await expect(latest(bob)).toBeHidden()
  await expect.poll(() => unreadOf(bob, channelId)).toBe(0)

  // The divider stays in place until the channel is opened again.
  await say(ada, 'and one more')
  await expect(message(bob, 'and one more')).toBeInViewport()
  await bob.keyboard.press('Shift+PageUp')
  await expect(divider(bob)).toBeInViewport()
  await bob.keyboard.press('End')
  await expect(message(bob, 'and one more')).toBeInViewport()
  await expect.poll(() => unreadOf(bob, channelId)).toBe(0)
  await row(bob, 'general').click()
  await expect(bob.getByRole('heading', { name: 'general' })).toBeVisible()
  await open()
  await expect(message(bob, 'and one more')).toBeInViewport()
  await expect(divider(bob)).toHaveCount(0)
})

test('jumping past unread messages can be undone; messages arriving below are counted', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { channelId, open, name } = await away(ada, bob, 25)
  await sendConcurrently(ada, 120, (index) => `new ${index}`)
  await sendMessages(ada, ['the last new one'])
  await open()
  await expect(divider(bob)).toBeInViewport()
  await expect(firstUnread(bob)).toBeHidden()
  await latest(bob).click()
  await expect(message(bob, 'the last new one')).toBeInViewport()
  await firstUnread(bob).click()
  await expect(divider(bob)).toBeInViewport()
  await expect(firstUnread(bob)).toBeHidden()
  await expect.poll(() => unreadOf(bob, channelId)).toBe(0)

  // While scrolled up, he does not read new messages below.
  await sendMessages(ada, ['below one', 'below two'])
  await expect(bob.getByRole('button', { name: 'Jump to latest · 2 new' })).toBeVisible()
  expect(await unreadOf(bob, channelId)).toBe(2)
  await latest(bob).click()
  await expect(message(bob, 'below two')).toBeInViewport()
  await expect.poll(() => unreadOf(bob, channelId)).toBe(0)

  // The beginning of the channel appears above its first message.
  await expect(bob.getByText(`This is the start of #${name}.`)).toHaveCount(0)
  await expect(async () => {
    await conversation(bob).press('Home')
    await expect(bob.getByText(`This is the start of #${name}.`)).toBeInViewport({ timeout: 1000 })
  }).toPass()
})

test('messages are read only while the window has the focus; those marked unread stay so until the channel is opened again', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { channelId, open, name } = await away(ada, bob, 6)
  const leave = async () => {
    await row(bob, 'general').click()
    await expect(bob.getByRole('heading', { name: 'general' })).toBeVisible()
  }
  await open()
  await expect(message(bob, 'old 6')).toBeInViewport()
  await expect(divider(bob)).toHaveCount(0)

  // Leaving the channel sends what was read so far.
  await bob.evaluate(() => {
    document.hasFocus = () => false
    window.dispatchEvent(new Event('blur'))
  })
  await say(ada, 'is anybody there?')
  await expect(message(bob, 'is anybody there?')).toBeInViewport()
  await expect(divider(bob)).toBeInViewport()
  await leave()
  await expect(row(bob, name)).toContainText('unread')
  expect(await unreadOf(bob, channelId)).toBe(1)
  await open()
  await expect(divider(bob)).toBeInViewport()
  await bob.evaluate(() => {
    document.hasFocus = () => true
    window.dispatchEvent(new Event('focus'))
  })
  await expect.poll(() => unreadOf(bob, channelId)).toBe(0)
  await expect(divider(bob)).toBeInViewport()

  await chooseAction(bob, 'old 5', 'Mark unread from here')
  await expect.poll(() => unreadOf(bob, channelId)).toBe(3)
  await settled(bob)
  const [line, marked] = [await divider(bob).boundingBox(), await inConversation(bob, 'old 5').boundingBox()]
  expect((line?.y ?? 0) < (marked?.y ?? 0)).toBe(true)
  // With the keyboard; it stays unread while he stays and more messages arrive.
  await inConversation(bob, 'old 3').focus()
  await bob.keyboard.press('u')
  await expect.poll(() => unreadOf(bob, channelId)).toBe(5)
  await say(ada, 'and more')
  await expect(message(bob, 'and more')).toBeInViewport()
  await leave()
  await expect(row(bob, name)).toContainText('unread')
  expect(await unreadOf(bob, channelId)).toBe(6)
  await open()
  await expect(divider(bob)).toBeInViewport()
  await expect.poll(() => unreadOf(bob, channelId)).toBe(0)
})
