import type { Page } from '@playwright/test'
import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  openGeneral,
  say,
  sendMessages,
  signUpMany,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { chooseAction, clickAction, messageId } from '../support/message-rows.ts'
import {
  createSharedChannel,
  inConversation,
  inThread,
  openThread,
  panel,
  reply,
  replyBox,
} from '../support/threads.ts'

const list = (page: Page) => page.getByRole('listbox')
const option = (page: Page, name: string | RegExp) => list(page).getByRole('option', { name })
const chosen = (page: Page) => list(page).getByRole('option', { selected: true })
const editBox = (page: Page) => page.getByRole('textbox', { name: 'Edit message' })
/** Pastes from a clipboard; unless the page handles the event, the browser's own paste follows. */
const paste = (page: Page, text: string) =>
  composer(page).evaluate((box, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    if (box.dispatchEvent(event)) document.execCommand('insertText', false, text)
  }, text)

test('people are suggested while typing, by any name, members first, and a key chooses one', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const zoe = await person('Zoe Kahn')
  const outsider = await person('Zora Neale', { open: false })
  await createSharedChannel(ada, zoe)
  await callApi(zoe, 'PATCH', '/api/users/me', { name: 'Zoe Kahn 张伟' })
  const [her, other, me] = await Promise.all([userOn(zoe), userOn(outsider), userOn(ada)])
  const box = composer(ada)
  await box.pressSequentially('hello @zo')
  await expect(option(ada, /^Zoe/)).toBeVisible()
  await expect(list(ada).getByRole('option').first()).toContainText(`@${her.username}`)
  await expect(option(ada, /Zora Neale/)).toContainText('Not in this channel')
  await expect(chosen(ada)).toContainText('Zoe')
  await expect(box).toHaveAttribute('aria-haspopup', 'listbox')
  await expect(box).toHaveAttribute('aria-activedescendant', (await chosen(ada).getAttribute('id')) ?? '')
  await expect(box).toBeFocused()

  // The list ignores keys of an input method, Escape closes only the list, and a new word opens it again.
  for (const key of ['Enter', 'Escape', 'Tab'])
    await box.dispatchEvent('keydown', { key, keyCode: 229, bubbles: true, cancelable: true })
  await box.press('ArrowUp')
  await expect(chosen(ada)).not.toContainText('Zoe')
  await box.press('ArrowDown')
  await expect(chosen(ada)).toContainText('Zoe')
  await box.press('Escape')
  await expect(list(ada)).toHaveCount(0)
  await ada.keyboard.type('e')
  await expect(list(ada)).toHaveCount(0)
  await expect(box).toHaveValue('hello @zoe')
  await expect(box).not.toHaveAttribute('aria-haspopup')
  await ada.keyboard.type(' @张')
  await expect(option(ada, /^Zoe/)).toBeVisible()
  await box.press('Enter')
  await expect(box).toHaveValue(`hello @zoe @${her.username} `)
  await box.press('ControlOrMeta+z')
  await expect(box).toHaveValue('hello @zoe @张')

  // The list closes when the caret leaves the word; a click chooses an option too.
  await box.fill('')
  await box.pressSequentially('so @zora')
  await expect(option(ada, /Zora Neale/)).toBeVisible()
  await box.press('Home')
  await expect(list(ada)).toHaveCount(0)
  await box.press('End')
  await ada.keyboard.press('Backspace')
  await option(ada, /Zora Neale/).click()
  await expect(box).toHaveValue(`so @${other.username} `)
  await expect(box).toBeFocused()

  // After a full username, Enter sends.
  await box.fill(`ask @${her.username}`)
  await expect(option(ada, /^Zoe/)).toBeVisible()
  await box.press('Enter')
  await expect(message(zoe, 'ask @')).toBeVisible()

  // No list for an unknown name, in the middle of a word, or in code.
  await box.pressSequentially(`a@zo @nobody.${uniqueName('x')} \`@zo`)
  await expect(list(ada)).toHaveCount(0)
  // The list offers oneself last.
  await box.fill('@')
  await expect(list(ada).getByRole('option').last()).toContainText(`@${me.username}`)
})

test('while an input method composes, its keys trigger nothing', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await callApi(ada, 'PATCH', '/api/users/me', { name: 'あだ' })
  const { username } = await userOn(ada)
  const method = await ada.context().newCDPSession(ada)
  const compose = (text: string) =>
    method.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  const box = composer(ada)
  await box.pressSequentially('ねえ@')
  await compose('あ')
  await expect(option(ada, /^あだ/)).toBeVisible()
  for (const key of ['ArrowDown', 'Escape', 'Tab', 'Enter'])
    await box.dispatchEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true })
  await expect(box).toHaveValue('ねえ@あ')
  await compose('あだ')
  await method.send('Input.insertText', { text: 'あだ' })
  // Safari sends the key that ended the composition only now.
  await box.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })
  await expect(box).toHaveValue('ねえ@あだ')
  await expect(option(ada, /^あだ/)).toBeVisible()
  await box.press('Enter')
  await expect(box).toHaveValue(`ねえ@${username} `)
})

test('@channel, channels and emoji are suggested, and the emoji data loads on demand', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const loaded: string[] = []
  ada.on('request', (request) => loaded.push(request.url()))
  await openGeneral(ada)
  const bob = await person('Bob Kahn', { open: false })
  await signUpMany(ada, 1)
  await createSharedChannel(ada, bob)
  const box = composer(ada)
  await box.pressSequentially('@chan')
  await expect(list(ada)).toHaveCount(0)
  await openGeneral(ada)
  await box.fill('@chan')
  await expect(chosen(ada)).toContainText('Everyone in this conversation')
  await box.press('Tab')
  await expect(box).toHaveValue('@channel ')

  const name = uniqueName('rivers')
  await createChannel(ada, name)
  await box.pressSequentially('see #river')
  await option(ada, name).click()
  await expect(box).toHaveValue(`see #${name} `)

  const emojiData = () => loaded.filter((url) => /native|emoji-mart|data-/.test(url))
  await ada.keyboard.type(':t')
  await expect(list(ada)).toHaveCount(0)
  expect(emojiData()).toEqual([])
  await ada.keyboard.type('ada')
  await expect(chosen(ada)).toContainText(':tada:')
  await box.press('Enter')
  await expect(box).toHaveValue(`see #${name} 🎉 `)
  await ada.keyboard.type(':+1')
  await expect(chosen(ada)).toContainText(':+1:')
  await ada.keyboard.type(':')
  await expect(box).toHaveValue(`see #${name} 🎉 👍 `)
  await ada.keyboard.type('at 10:30 `:tada')
  await expect(list(ada)).toHaveCount(0)
})

test('keys toggle formatting, lists continue, a link pastes onto selected text; all can be undone', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const box = composer(ada)
  await box.fill('a word')
  await box.press('ControlOrMeta+Shift+ArrowLeft')
  await box.press('ControlOrMeta+b')
  await expect(box).toHaveValue('a **word**')
  await box.press('ControlOrMeta+i')
  await expect(box).toHaveValue('a ***word***')
  await box.press('ControlOrMeta+b')
  await expect(box).toHaveValue('a *word*')
  await box.press('ControlOrMeta+z')
  await expect(box).toHaveValue('a ***word***')
  await box.press('ControlOrMeta+a')
  await box.press('Delete')
  await box.press('ControlOrMeta+Shift+c')
  await ada.keyboard.type('let x')
  await expect(box).toHaveValue('`let x`')

  await box.fill('- one')
  await box.press('Shift+Enter')
  await ada.keyboard.type('two')
  await box.press('Shift+Enter')
  await expect(box).toHaveValue('- one\n- two\n- ')
  await box.press('Shift+Enter')
  await ada.keyboard.type('end')
  await expect(box).toHaveValue('- one\n- two\nend')

  await box.fill('read this')
  await box.press('ControlOrMeta+Shift+ArrowLeft')
  await paste(ada, 'https://example.com/a')
  await expect(box).toHaveValue('read [this](https://example.com/a)')
  await box.press('ControlOrMeta+z')
  await expect(box).toHaveValue('read this')
  await paste(ada, 'no address')
  await expect(box).toHaveValue('read no address')
})

test('ArrowUp in an empty composer edits my last message and scrolls to it; suggestions work there too', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  await createSharedChannel(ada, bob)
  await say(ada, 'mine to change')
  await messageId(ada, 'mine to change')
  await sendMessages(
    bob,
    Array.from({ length: 30 }, (_, nth) => `line ${nth}`),
    ada.url(),
  )
  await expect(message(ada, 'line 29')).toBeVisible()
  await composer(ada).fill('x')
  await composer(ada).press('ArrowUp')
  await expect(editBox(ada)).toHaveCount(0)
  await composer(ada).fill('')
  await composer(ada).press('ArrowUp')
  await expect(editBox(ada)).toBeFocused()
  await expect(editBox(ada)).toBeInViewport()
  await ada.keyboard.type(' @bob')
  await expect(chosen(ada)).toContainText('Bob Kahn')
  await ada.keyboard.press('Escape')
  await expect(list(ada)).toHaveCount(0)
  await expect(editBox(ada)).toHaveValue('mine to change @bob')
  await ada.keyboard.press('Backspace')
  await ada.keyboard.press('Escape')
  await expect(editBox(ada)).toHaveCount(0)
  await expect(composer(ada)).toBeFocused()

  await ada.getByRole('button', { name: 'Jump to latest' }).click()
  await openThread(ada, 'line 29')
  await reply(ada, 'a reply')
  await messageId(ada, 'a reply')
  await replyBox(ada).press('ArrowUp')
  await expect(editBox(ada)).toHaveValue('a reply')
  await ada.keyboard.type(' :tad')
  await expect(chosen(ada)).toContainText(':tada:')
  await ada.keyboard.press('Tab')
  await ada.keyboard.press('Enter')
  await expect(inThread(ada, 'a reply 🎉')).toBeVisible()
  await replyBox(ada).pressSequentially('@bo')
  await expect(chosen(ada)).toContainText('Bob Kahn')
  await replyBox(ada).press('Escape')
  await expect(panel(ada)).toBeVisible()
  await expect(list(ada)).toHaveCount(0)
})

test('a message is quoted into the composer of its conversation, before the text behind the caret', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(bob, 'first line\nsecond line')
  const box = composer(ada)
  await box.fill('my draft')
  await box.press('Home')
  await chooseAction(ada, 'first line', 'Quote')
  await expect(box).toHaveValue('> first line\n> second line\n\nmy draft')
  await expect(box).toBeFocused()
  await ada.keyboard.type('so: ')
  await expect(box).toHaveValue('> first line\n> second line\n\nso: my draft')
  await openThread(ada, 'first line')
  await reply(ada, 'an answer')
  await messageId(ada, 'an answer')
  await clickAction(ada, 'an answer', 'More actions')
  await ada.getByRole('menuitem', { name: 'Quote' }).click()
  await expect(replyBox(ada)).toHaveValue('> an answer\n\n')
  await expect(replyBox(ada)).toBeFocused()
  await expect(inConversation(ada, 'second line')).toBeVisible()
})
