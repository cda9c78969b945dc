import type { Page } from '@playwright/test'
import { composer, expect, message, say, sendMessages, test, uniqueName, userOn } from '../support/fixtures.ts'
import { messageId } from '../support/message-rows.ts'
import { openSettings, showSettings } from '../support/settings.ts'
import { row } from '../support/sidebar.ts'
import {
  createSharedChannel,
  inConversation,
  inThread,
  openThread,
  panel,
  parentId,
  reply,
  replyBox,
} from '../support/threads.ts'

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const searchBox = (page: Page) => page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')

test('the keyboard alone suffices from sign-up to a reply in a thread', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.address })
  const page = await context.newPage()
  const { keyboard } = page
  const username = uniqueName('keys')
  await page.goto('/sign-up')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  for (const text of ['Ada Lovelace', username, `${username}@example.com`, 'correct horse']) {
    await keyboard.type(text)
    if (text !== 'correct horse') await keyboard.press('Tab')
  }
  await keyboard.press('Enter')
  await expect(composer(page)).toBeFocused()

  // To the sidebar and its button for a new channel.
  await keyboard.press('F6')
  await expect(row(page, 'general')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  const create = page.getByRole('button', { name: 'Create channel' })
  for (let nth = 0; nth < 4 && !(await create.evaluate((it) => it === document.activeElement)); nth++)
    await keyboard.press('Shift+Tab')
  await expect(create).toBeFocused()
  await keyboard.press('Enter')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await keyboard.type(username)
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: username })).toBeVisible()
  await expect(composer(page)).toBeFocused()

  await keyboard.type('decided by hand')
  await keyboard.press('Enter')
  await messageId(page, 'decided by hand')
  await keyboard.press('Shift+F6')
  await expect(message(page, 'decided by hand')).toBeFocused()
  await expect(message(page, 'decided by hand')).toHaveAccessibleName(/^Ada Lovelace, .*decided by hand$/)
  await keyboard.press('t')
  await expect(replyBox(page)).toBeFocused()
  await keyboard.type('and answered')
  await keyboard.press('Enter')
  await expect(inThread(page, 'and answered')).toBeVisible()
  await expect(inConversation(page, 'decided by hand')).toHaveAccessibleName(/decided by hand 1 reply\.$/)

  // F6 cycles from the composer through the parts of the page.
  await keyboard.press('F6')
  await expect(row(page, username)).toBeFocused()
  await keyboard.press('ArrowUp')
  await expect(row(page, username)).not.toBeFocused()
  await keyboard.press('ArrowDown')
  await expect(row(page, username)).toBeFocused()
  await keyboard.press('Shift+F6')
  await expect(replyBox(page)).toBeFocused()
  await context.close()
})

test('keys open the shortcut sheet, the channel’s search, the panel and my threads; typed text and names stay', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const { keyboard } = ada
  await createSharedChannel(ada)
  const name = await ada.getByRole('heading', { level: 1 }).innerText()
  await say(ada, 'a talk')
  await messageId(ada, 'a talk')
  await composer(ada).fill('half a thought')
  await keyboard.press('ControlOrMeta+.')
  await expect(
    ada.getByRole('listitem').filter({ hasText: "You don't follow any threads in this channel" }),
  ).toBeVisible()
  await openThread(ada, 'a talk')
  await reply(ada, 'beside it')
  await expect(inThread(ada, 'beside it').and(ada.locator('[data-message]'))).toBeVisible()
  await keyboard.press('ControlOrMeta+.')
  await expect(panel(ada)).toHaveCount(0)
  await keyboard.press('ControlOrMeta+.')
  await expect(replyBox(ada)).toBeFocused()

  await keyboard.press('ControlOrMeta+/')
  await expect(sheet(ada).getByText('Search this conversation')).toBeVisible()
  await expect(sheet(ada).getByRole('region', { name: 'On a message' })).toContainText('Mark unread from here')
  await keyboard.press('ControlOrMeta+/')
  await expect(sheet(ada)).toHaveCount(0)
  await expect(replyBox(ada)).toBeFocused()

  await keyboard.press('ControlOrMeta+Shift+f')
  await expect(ada.getByRole('button', { name: `Remove filter: In #${name.replace('#', '').trim()}` })).toBeVisible()
  await expect(searchBox(ada)).toHaveValue('')
  await keyboard.type('talk')
  await expect(ada.getByRole('option').filter({ hasText: 'a talk' })).toBeVisible()
  // Each Escape closes one thing: the search, then the panel. The draft stays.
  await keyboard.press('Escape')
  await expect(searchBox(ada)).toHaveCount(0)
  await expect(panel(ada)).toBeVisible()
  await keyboard.press('Escape')
  await expect(panel(ada)).toHaveCount(0)
  await expect(composer(ada)).toHaveValue('half a thought')

  // A typed channel name is still there after Escape, and no second dialog opens: Escape would close both together.
  const create = ada.getByRole('button', { name: 'Create channel' })
  const newName = ada.getByLabel('Name', { exact: true })
  await create.click()
  await newName.fill('nearly')
  await keyboard.press('ControlOrMeta+k')
  await keyboard.press('ControlOrMeta+/')
  await expect(ada.getByRole('dialog')).toHaveCount(1)
  await keyboard.press('Escape')
  await expect(create).toBeFocused()
  await create.click()
  await expect(newName).toHaveValue('nearly')
  await ada.getByRole('button', { name: 'Cancel' }).click()

  const address = `${ada.url()}?thread=${await parentId(ada, 'a talk')}`
  await keyboard.press('ControlOrMeta+Shift+t')
  await expect(ada.getByRole('heading', { name: 'Threads', exact: true })).toBeVisible()
  await keyboard.press('F6')
  const thread = ada.getByRole('region', { name: 'My threads' }).getByRole('link', { name: '1 reply' })
  await thread.focus()
  await keyboard.press('Enter')
  await expect(ada).toHaveURL(address)
  await expect(composer(ada)).toHaveValue('half a thought')
})

test('Escape leaves an edit wherever the focus is, then marks as read and jumps to the latest; letter keys can be switched off', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  const adaSays = (text: string) => sendMessages(ada, [text], bob.url())
  await say(bob, 'one')
  await say(bob, 'two')
  await messageId(bob, 'two')
  const name = await bob.getByRole('heading', { level: 1 }).innerText()
  const channel = row(bob, name.replace('#', '').trim())
  await message(bob, 'one').focus()
  await bob.keyboard.press('e')
  await bob.keyboard.type(' more')
  await composer(bob).focus()
  await bob.keyboard.press('Escape')
  await expect(bob.locator('textarea').and(bob.getByLabel('Edit message'))).toHaveCount(0)
  await expect(message(bob, 'one').getByRole('button', { name: 'Unsaved edit' })).toBeVisible()

  await adaSays('three')
  await expect(message(bob, 'three')).toBeVisible()
  await expect(channel).not.toContainText('unread')
  await message(bob, 'three').focus()
  await bob.keyboard.press('u')
  await expect(channel).toContainText('unread')
  await bob.keyboard.press('Escape')
  await expect(channel).not.toContainText('unread')
  await expect(composer(bob)).toBeFocused()

  await openSettings(bob, 'Keyboard')
  await bob.getByRole('checkbox', { name: 'Single-letter keys' }).uncheck()
  await showSettings(bob, 'Accessibility')
  await bob.getByText('Mentions', { exact: true }).click()
  await bob.keyboard.press('Escape')
  await message(bob, 'two').focus()
  await bob.keyboard.press('t')
  await expect(message(bob, 'two')).toBeFocused()
  await expect(message(bob, 'two').getByRole('button', { name: 'Reply in thread' })).not.toHaveAttribute('data-keys')
  await expect(panel(bob)).toHaveCount(0)
  await bob.reload()
  await openSettings(bob, 'Keyboard')
  await expect(bob.getByRole('checkbox', { name: 'Single-letter keys' })).not.toBeChecked()
  await showSettings(bob, 'Accessibility')
  await expect(bob.getByRole('radio', { name: 'Mentions' })).toBeChecked()
  await bob.keyboard.press('Escape')
  const { username } = await userOn(bob)
  await adaSays('not for the ear')
  await adaSays(`for you, @${username}`)
  await expect(message(bob, 'for you')).toBeVisible()
  await expect(bob.locator('main [aria-live=polite]').filter({ hasText: 'for you' })).toHaveCount(1)
})
