import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { stopClock } from '../support/clock.ts'
import { failUntilRetried } from '../support/failing.ts'
import {
  callApi,
  channelIdOn,
  composer,
  createChannel,
  expect,
  message,
  messageTexts,
  say,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { chooseAction, clickAction, messageId, toast } from '../support/message-rows.ts'
import { keepNothing } from '../support/settings.ts'
import { composerReleased, settled } from '../support/settled.ts'
import { conversation, createSharedChannel, inConversation } from '../support/threads.ts'

const menu = (page: Page) => page.getByRole('menu', { name: 'Message actions' })
const deleted = (page: Page) => message(page, 'Message deleted')
/** The message as the server stores it. */
const stored = async (page: Page, id: string) =>
  (await callApi(page, 'GET', `/api/messages/channel/${channelIdOn(page)}`)).find((it: { id: string }) => it.id === id)

/** Deletes a message on a page whose clock then stands still, so that on no slow machine the five seconds pass. */
async function deleteWithoutTime(page: Page, text: string) {
  await clickAction(page, text, 'More actions')
  await stopClock(page)
  await menu(page).getByRole('menuitem', { name: 'Delete message' }).click()
  await untilToast(page)
}

/** The menu takes a few frames to go, and the toast to come. */
const untilToast = (page: Page) =>
  expect(async () => {
    await page.clock.runFor(20)
    await expect(toast(page, 'Message deleted')).toBeVisible({ timeout: 100 })
    await expect(menu(page)).toHaveCount(0, { timeout: 100 })
  }).toPass()

async function press(page: Page, text: string) {
  const words = message(page, text).locator('.prose')
  await composerReleased(page)
  // Only waits until the text stops moving.
  await words.tap({ trial: true })
  const { x, y } = (await words.boundingBox()) ?? { x: 0, y: 0 }
  const device = await page.context().newCDPSession(page)
  const touchPoints = [{ x: x + 10, y: y + 8 }]
  await device.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await expect(menu(page)).toBeVisible()
  await device.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await device.detach()
  // The browser handles a key after everything that lifting the finger causes.
  await page.keyboard.press('Shift')
  await settled(page)
  await expect(menu(page)).toBeVisible()
}

test('a deleted message disappears at once for me, returns with Undo, and after five seconds disappears for all', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'better not said')
  const id = await messageId(ada, 'better not said')
  await ada.clock.install()
  await deleteWithoutTime(ada, 'better not said')
  await expect(deleted(ada)).toBeVisible()
  await expect(message(bob, 'better not said')).toBeVisible()
  await toast(ada, 'Message deleted').getByRole('button', { name: 'Undo' }).click()
  await expect(message(ada, 'better not said')).toBeVisible()
  await ada.clock.runFor(6000)
  await ada.clock.resume()
  expect((await stored(ada, id)).deletedAt).toBeNull()

  await deleteWithoutTime(ada, 'better not said')
  await expect(deleted(ada)).toBeVisible()
  await deleted(ada).hover()
  await expect(deleted(ada).getByRole('button')).toHaveText(['Ada Lovelace'])
  await ada.clock.runFor(6000)
  await ada.clock.resume()
  await expect(deleted(bob)).toBeVisible()
  await expect(ada.getByText('better not said')).toHaveCount(0)
  await bob.reload()
  await expect(deleted(bob)).toBeVisible()
})

test('a refused deletion brings the message back', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('stubborn'))
  await say(ada, 'here to stay')
  await ada.route('**/api/messages/*', (route) => route.abort())
  await chooseAction(ada, 'here to stay', 'Delete message')
  await expect(deleted(ada)).toBeVisible()
  await expect(toast(ada, 'Failed to delete message: no connection')).toBeVisible()
  await expect(message(ada, 'here to stay')).toBeVisible()
})

test('the channel’s owner can delete messages of others; members cannot', async ({ person }) => {
  const bob = await person('Bob Kahn')
  const eve = await person('Eve Adams')
  await createSharedChannel(bob, eve)
  await say(bob, 'an announcement')
  await say(eve, 'an advertisement')
  await clickAction(eve, 'an announcement', 'More actions')
  await expect(menu(eve).getByRole('menuitem')).toHaveText([
    /^Add reaction/,
    /^Reply in thread/,
    /^Quote/,
    /^Mark unread/,
    /^Read aloud/,
    'View profile',
    'Copy text',
    'Copy without formatting',
    'Copy link',
    'Report to admins',
  ])
  await eve.keyboard.press('Escape')
  await expect(menu(eve)).toHaveCount(0)
  await clickAction(bob, 'an advertisement', 'More actions')
  await expect(menu(bob).locator('[role=separator] + [role=menuitem]')).toHaveText(/^Delete message/)
  await menu(bob).getByRole('menuitem', { name: 'Delete message' }).click()
  await expect(deleted(bob)).toBeVisible()
  // Closing the page ends the time for Undo.
  await bob.close()
  await expect(deleted(eve)).toBeVisible()
})

test('a focused message is deleted by key, and the focus stays in its row', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('keys'))
  await say(ada, 'a slip')
  await messageId(ada, 'a slip')
  await conversation(ada).focus()
  await ada.keyboard.press('ArrowUp')
  await expect(message(ada, 'a slip')).toBeFocused()
  await ada.clock.install()
  await stopClock(ada)
  await ada.keyboard.press('Backspace')
  await expect(deleted(ada)).toBeFocused()
  await untilToast(ada)
  await toast(ada, 'Message deleted').getByRole('button', { name: 'Undo' }).click()
  await expect(message(ada, 'a slip')).toBeVisible()
})

test('a deleted message keeps its thread', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  await createSharedChannel(ada, bob)
  await say(ada, 'a question')
  const id = await messageId(ada, 'a question')
  await callApi(bob, 'POST', '/api/threads/messages', { parentMessageId: id, content: 'an answer' })
  await expect(inConversation(ada, 'a question')).toContainText('1 reply')
  await callApi(ada, 'DELETE', `/api/messages/${id}`)
  await expect(
    inConversation(ada, 'Message deleted').getByRole('button', { name: '1 reply Last reply just now' }),
  ).toBeVisible()
})

test('the thread summary shows how many replied, who and when, and opens the thread', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'what do you think')
  const id = await messageId(ada, 'what do you think')
  const reply = (by: Page, content: string) =>
    callApi(by, 'POST', '/api/threads/messages', { parentMessageId: id, content })
  await reply(bob, 'good')
  const line = inConversation(ada, 'what do you think').getByRole('button', { name: /repl/ })
  await expect(line).toHaveText('BK1 replyLast reply just now')
  await reply(ada, 'thanks')
  await expect(line).toHaveText('ALBK2 repliesLast reply just now')
  await ada.clock.install()
  await ada.reload()
  await expect(line).toBeVisible()
  // Less than a minute passes by itself.
  await ada.clock.fastForward('12:05')
  await expect(line).toContainText('Last reply 12m ago')
  await line.click()
  await expect(ada).toHaveURL(new RegExp(`thread=${id}$`))
  await expect(line).toHaveAttribute('aria-expanded', 'true')
})

test('messages that mention me are highlighted, my own are not', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  const { username } = await userOn(bob)
  await say(ada, `for @${username}`)
  await say(ada, 'for everyone, @channel')
  await say(ada, 'for nobody')
  await expect(message(bob, 'for nobody')).toBeVisible()
  const paper = (page: Page, text: string) =>
    message(page, text).evaluate((row) => getComputedStyle(row).backgroundColor)
  const clear = await paper(bob, 'for nobody')
  await expect.poll(() => paper(bob, `for @${username}`)).not.toBe(clear)
  await expect.poll(() => paper(bob, 'for everyone')).not.toBe(clear)
  await ada.mouse.move(0, 0)
  await expect.poll(() => paper(ada, 'for everyone')).toBe(clear)
})

test('a message that is not stored yet cannot be replied to', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await ada.route('**/api/messages', () => {})
  await say(ada, 'on its way')
  await message(ada, 'on its way').hover()
  await expect(message(ada, 'on its way').getByRole('button', { name: 'Reply in thread' })).toBeDisabled()
})

test('a message list that fails to load says so and can be retried', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await createChannel(ada, uniqueName('states'))
  await expect(ada.getByText('No messages yet')).toBeVisible()
  await say(ada, 'somebody here')
  await expect(message(ada, 'somebody here')).toBeVisible()
  await failUntilRetried(ada, '**/api/messages/channel/**', (route) => route.fulfill({ status: 400, json: {} }))
  await ada.reload()
  await expect(ada.getByText('Failed to load messages')).toBeVisible()
  await ada.getByRole('button', { name: 'Try again' }).click()
  await expect(message(ada, 'somebody here')).toBeVisible()
})

test('a long press on a message opens all its actions', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  await createChannel(ada, uniqueName('touch'))
  await composer(ada).fill('hold me')
  await ada.getByRole('button', { name: 'Send', exact: true }).tap()
  await messageId(ada, 'hold me')
  await message(ada, 'hold me').tap()
  await expect(message(ada, 'hold me').getByRole('button')).toHaveText(['Ada Lovelace'])

  await press(ada, 'hold me')
  await expect(menu(ada).getByRole('menuitem')).toHaveCount(17)
  for (const item of await menu(ada).getByRole('menuitem').all())
    expect((await item.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await expectAccessible(ada)
  await menu(ada).getByRole('menuitem', { name: 'React with 🎉' }).tap()
  await expect(menu(ada)).toHaveCount(0)
  await expect(message(ada, 'hold me').getByRole('button', { name: '🎉 1' })).toBeVisible()

  await press(ada, 'hold me')
  await menu(ada).getByRole('menuitem', { name: 'Add reaction' }).tap()
  await expect(ada.locator('em-emoji-picker')).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(ada.locator('em-emoji-picker')).toHaveCount(0)

  await press(ada, 'hold me')
  await menu(ada).getByRole('menuitem', { name: 'Edit message' }).tap()
  await expect(ada.getByRole('textbox', { name: 'Edit message' })).toBeFocused()
  await ada.getByRole('article').getByRole('button', { name: 'Cancel' }).tap()
  await expect(ada.getByRole('textbox', { name: 'Edit message' })).toHaveCount(0)

  await press(ada, 'hold me')
  await ada.touchscreen.tap(200, 100)
  await expect(menu(ada)).toHaveCount(0)
  await press(ada, 'hold me')
  await menu(ada).getByRole('menuitem', { name: 'Delete message' }).tap()
  await expect(deleted(ada)).toBeVisible()
})

test('the menu is accessible', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('everyone'))
  await say(ada, 'a message')
  await clickAction(ada, 'a message', 'More actions')
  await expect(menu(ada)).toBeVisible()
  await ada.keyboard.press('ArrowDown')
  await expectAccessible(ada)
  expect(await messageTexts(ada)).toEqual(['a message'])
})
