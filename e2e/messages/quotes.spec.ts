import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  channelIdOn,
  composer,
  createPrivateChannel,
  expect,
  invite,
  openTab,
  removeMember,
  say,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { chooseAction, clickAction, messageId, toast } from '../support/message-rows.ts'
import { createSharedChannel, inConversation, openThread, panel, reply, replyBox } from '../support/threads.ts'

const tray = (page: Page) => page.getByRole('list', { name: 'Quoted messages' })
const quoteIn = (page: Page, text: string) => inConversation(page, text).locator('[data-quoted]')
const nameOf = async (page: Page) => (await callApi(page, 'GET', `/api/channels/${channelIdOn(page)}`)).name as string
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Forward message' })

test('a quote names its author, follows edits and the deletion, and leads to the message', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(bob, 'We ship **on Monday**')
  const original = await messageId(bob, 'We ship')
  await chooseAction(ada, 'We ship', 'Quote')
  await expect(tray(ada)).toContainText('Bob Kahn')
  await expect(tray(ada)).toContainText('We ship on Monday')
  await expect(composer(ada)).toBeFocused()
  await expect(composer(ada)).toHaveValue('')
  await ada.keyboard.type('Agreed')
  await ada.reload()
  await expect(tray(ada)).toContainText('We ship on Monday')
  await expect(composer(ada)).toHaveValue('Agreed')
  await composer(ada).press('Enter')
  await expect(tray(ada)).toHaveCount(0)

  await expect(quoteIn(bob, 'Agreed')).toContainText('Bob Kahn')
  await expect(quoteIn(bob, 'Agreed').locator('strong')).toHaveText('on Monday')
  await expectAccessible(ada)
  await callApi(bob, 'PUT', `/api/messages/${original}`, { content: 'We ship on Friday' })
  for (const page of [ada, bob]) await expect(quoteIn(page, 'Agreed')).toContainText('We ship on Friday')
  await quoteIn(ada, 'Agreed')
    .getByRole('link', { name: /^Show message/ })
    .click()
  await expect(ada.locator(`article[data-message="${original}"]`)).toHaveAttribute('aria-current', 'true')
  await callApi(bob, 'DELETE', `/api/messages/${original}`)
  for (const page of [ada, bob]) await expect(quoteIn(page, 'Agreed')).toContainText('Message deleted')
})

test('a message is forwarded with a note, and only those who may read it see it', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const cyd = await person('Cyd Charisse')
  await createSharedChannel(ada, bob, cyd)
  const target = await nameOf(ada)
  await createPrivateChannel(ada, bob, uniqueName('secret'))
  await say(ada, 'The launch moves to Thursday')
  await chooseAction(ada, 'The launch', 'Forward')
  await expect(dialog(ada)).toContainText('The launch moves to Thursday')
  await expect(dialog(ada)).toContainText(/Only people who can read #secret/)
  await ada.keyboard.type(target)
  await ada.keyboard.press('Enter')
  await dialog(ada).getByRole('textbox', { name: 'Add a note (optional)' }).fill('Please plan for it')
  await expectAccessible(ada)
  await dialog(ada).getByRole('button', { name: 'Forward', exact: true }).click()
  await expect(toast(ada, `Forwarded to #${target}`)).toBeVisible()
  await toast(ada, 'Forwarded to').getByRole('button', { name: 'Show' }).click()
  await expect(quoteIn(ada, 'Please plan')).toContainText('The launch moves to Thursday')
  await expect(quoteIn(cyd, 'Please plan')).toContainText('This message isn’t available to you.')
  await bob.goto(new URL(ada.url()).pathname)
  await expect(quoteIn(bob, 'Please plan')).toContainText('The launch moves to Thursday')
})

test('a forward that is cancelled while its conversation is opened sends nothing, and keeps its note', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada)
  await say(ada, 'the plan')
  const { username } = await userOn(bob)
  let answer = () => {}
  await ada.route('**/api/direct-messages', async (route) => {
    const response = await route.fetch()
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    await route.fulfill({ response })
  })
  await chooseAction(ada, 'the plan', 'Forward')
  await ada.keyboard.type(username)
  await expect(dialog(ada).getByRole('option')).toContainText(username)
  await ada.keyboard.press('Enter')
  await dialog(ada).getByRole('textbox', { name: 'Add a note (optional)' }).fill('between us')
  const asked = ada.waitForRequest('**/api/direct-messages')
  await dialog(ada).getByRole('button', { name: 'Forward', exact: true }).click()
  const request = await asked
  await dialog(ada).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(ada)).toHaveCount(0)
  answer()
  await (await request.response())?.finished()
  const { id } = await callApi(ada, 'POST', '/api/direct-messages', { userIds: [(await userOn(bob)).id] })
  await chooseAction(ada, 'the plan', 'Forward')
  await expect(dialog(ada).getByRole('textbox', { name: 'Add a note (optional)' })).toHaveValue('between us')
  expect(await callApi(bob, 'GET', `/api/messages/channel/${id}`)).toEqual([])
})

test('a quote is removed from what is written and from a message, and a pasted link becomes one', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'the plan')
  await chooseAction(ada, 'the plan', 'Quote')
  await ada.keyboard.press('Backspace')
  await expect(tray(ada)).toHaveCount(0)
  await expect(composer(ada)).toBeFocused()

  await openThread(ada, 'the plan')
  await reply(ada, 'an answer')
  await clickAction(ada, 'an answer', 'More actions')
  await ada.getByRole('menuitem', { name: 'Quote' }).click()
  await expect(panel(ada).getByRole('list', { name: 'Quoted messages' })).toContainText('an answer')
  await replyBox(ada).fill('a second answer')
  await replyBox(ada).press('Enter')
  const second = panel(ada).getByRole('article').filter({ hasText: 'a second answer' })
  await expect(second.locator('[data-quoted]')).toContainText('an answer')
  await messageId(ada, 'a second answer')
  await replyBox(ada).press('ArrowUp')
  await expect(tray(ada)).toContainText('an answer')
  await expect(ada.getByRole('textbox', { name: 'Edit message' })).toHaveValue('a second answer')
  await tray(ada).getByRole('button', { name: 'Remove quote of Ada Lovelace' }).click()
  await ada.getByRole('textbox', { name: 'Edit message' }).press('Enter')
  await expect(second.locator('[data-quoted]')).toHaveCount(0)
  await expect(second).toContainText('a second answer')

  await say(
    bob,
    `${new URL(bob.url()).origin}/channels/${channelIdOn(bob)}?message=${await messageId(bob, 'the plan')}`,
  )
  await expect(bob.getByRole('article').last().locator('[data-quoted]')).toContainText('the plan')
})

test('who is removed from a channel no longer sees what is quoted from it, in any tab', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const open = await createSharedChannel(ada, bob)
  const secret = await createPrivateChannel(ada, bob, uniqueName('secret'))
  await say(ada, 'only for us')
  const quote = `[Quoted message](/channels/${secret}?message=${await messageId(ada, 'only for us')}#quote)`
  await callApi(ada, 'POST', '/api/messages', { channelId: open, content: `${quote}\n\nsee this` })
  const other = await openTab(bob)
  for (const page of [bob, other]) {
    await page.goto(`/channels/${open}`)
    await expect(quoteIn(page, 'see this')).toContainText('only for us')
  }
  await removeMember(ada, bob, secret)
  for (const page of [bob, other]) await expect(quoteIn(page, 'see this')).toContainText('This message isn’t available')
  await invite(ada, bob, secret)
  for (const page of [bob, other]) await expect(quoteIn(page, 'see this')).toContainText('only for us')
})
