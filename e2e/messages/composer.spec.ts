import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  openGeneral,
  say,
  signUpMany,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { chooseAction, toast } from '../support/message-rows.ts'
import { createSharedChannel } from '../support/threads.ts'

const list = (page: Page) => page.getByRole('listbox')
const option = (page: Page, name: string | RegExp) => list(page).getByRole('option', { name })
const chosen = (page: Page) => list(page).getByRole('option', { selected: true })
const picker = (page: Page) => page.locator('em-emoji-picker')
const formatting = (page: Page) => page.getByRole('toolbar', { name: 'Formatting' })
/** Pastes from a clipboard; unless the page handles the event, the browser's own paste follows. */
const paste = (page: Page, text: string) =>
  composer(page).evaluate((box, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    if (box.dispatchEvent(event)) document.execCommand('insertText', false, text)
  }, text)
/** Selects a piece of the composer's text. */
const select = (page: Page, piece: string) =>
  composer(page).evaluate((field: HTMLTextAreaElement, words) => {
    const from = field.value.indexOf(words)
    field.focus()
    field.setSelectionRange(from, from + words.length)
  }, piece)

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

  // The list closes when the caret leaves the word; a click also chooses an option.
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

  // There is no list for an unknown name, in the middle of a word, or in code.
  await box.pressSequentially(`a@zo @nobody.${uniqueName('x')} \`@zo`)
  await expect(list(ada)).toHaveCount(0)
  // The list offers oneself last.
  await box.fill('@')
  await expect(list(ada).getByRole('option').last()).toContainText(`@${me.username}`)
})

test('while an input method composes, its keys trigger nothing', { tag: '@long' }, async ({ person }) => {
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
  // Safari sends the key that ended the composition only afterwards.
  await box.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })
  await expect(box).toHaveValue('ねえ@あだ')
  await expect(option(ada, /^あだ/)).toBeVisible()
  await box.press('Enter')
  await expect(box).toHaveValue(`ねえ@${username} `)
})

test('@channel, channels and emoji are suggested or inserted by a button; the emoji data loads on demand', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const loaded: string[] = []
  ada.on('request', (request) => loaded.push(request.url()))
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

  // The buttons insert at the caret, as a single undo step.
  await box.fill('ab')
  await box.press('ArrowLeft')
  await ada.getByRole('button', { name: 'Add emoji' }).click()
  await picker(ada).getByPlaceholder('Search').fill('palm tree')
  await picker(ada).getByRole('option', { name: '🌴' }).click()
  await expect(box).toHaveValue('a🌴b')
  await expect(box).toBeFocused()
  await ada.keyboard.type('!')
  await ada.getByRole('button', { name: 'Mention someone' }).click()
  await expect(box).toHaveValue('a🌴!@b')
  await box.fill('hello')
  await ada.getByRole('button', { name: 'Mention someone' }).click()
  await expect(box).toHaveValue('hello @')
  await box.press('ControlOrMeta+z')
  await expect(box).toHaveValue('hello')
})

test('keys and buttons format the selection, lists continue, a link pastes onto it; all can be undone', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('styled'))
  const box = composer(ada)
  await box.fill('a word')
  await box.press('ControlOrMeta+Shift+ArrowLeft')
  await box.press('ControlOrMeta+b')
  await expect(box).toHaveValue('a **word**')
  await box.press('ControlOrMeta+i')
  await expect(box).toHaveValue('a ***word***')
  await box.press('ControlOrMeta+z')
  await expect(box).toHaveValue('a **word**')

  await box.fill('- one')
  await box.press('Shift+Enter')
  await ada.keyboard.type('two')
  await box.press('Shift+Enter')
  await expect(box).toHaveValue('- one\n- two\n- ')
  await box.press('Shift+Enter')
  await ada.keyboard.type('end')
  await expect(box).toHaveValue('- one\n- two\nend')

  await box.fill('read this')
  await select(ada, 'this')
  await paste(ada, 'https://example.com/a')
  await expect(box).toHaveValue('read [this](https://example.com/a)')
  await box.press('ControlOrMeta+z')
  await expect(box).toHaveValue('read this')
  await paste(ada, 'no address')
  await expect(box).toHaveValue('read no address')

  // The device remembers whether the buttons are shown.
  const button = (name: string) => formatting(ada).getByRole('button', { name, exact: true })
  await expect(formatting(ada)).toHaveCount(0)
  await ada.getByRole('button', { name: 'Formatting', exact: true }).click()
  await expect(box).toBeFocused()
  await expectAccessible(ada, 'formatting buttons')
  await ada.reload()
  for (const [name, expected] of [
    ['Strikethrough', 'one ~~two~~ three'],
    ['Link', 'one [two]() three'],
    ['Numbered list', '1. one two three'],
    ['Code block', 'one \n```\ntwo\n```\n three'],
  ] as const) {
    await box.fill('one two three')
    await select(ada, 'two')
    await button(name).click()
    await expect(box).toHaveValue(expected)
    await expect(box).toBeFocused()
    await ada.keyboard.press('ControlOrMeta+z')
    await expect(box).toHaveValue('one two three')
  }
  // A single tab stop; arrow keys move between the buttons.
  await select(ada, 'two')
  await ada.keyboard.press('Shift+Tab')
  await expect(formatting(ada).locator(':focus')).toHaveCount(1)
  await ada.keyboard.press('Home')
  await ada.keyboard.press('ArrowRight')
  await expect(button('Italic')).toBeFocused()
  await ada.keyboard.press('Enter')
  await expect(box).toHaveValue('one *two* three')
})

test('a message is copied as Markdown, as plain text and as a link', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { permissions: ['clipboard-read', 'clipboard-write'] })
  await createSharedChannel(ada)
  const written = 'we ship **on Monday**, see [the plan](https://example.com/plan)\nand `npm test`'
  await say(ada, written)
  const box = composer(ada)
  const clipboard = () => ada.evaluate(() => navigator.clipboard.readText())
  await chooseAction(ada, 'we ship', 'Copy text')
  await expect(toast(ada, 'Text copied')).toBeVisible()
  expect(await clipboard()).toBe(written)
  await chooseAction(ada, 'we ship', 'Copy without formatting')
  await expect.poll(clipboard).toMatch(/^we ship on Monday, see the plan\s+and npm test$/)
  // Simulates plain HTTP, where there is no clipboard API.
  await ada.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await chooseAction(ada, 'we ship', 'Copy link')
  await expect(toast(ada, 'Link copied')).toBeVisible()
  await box.fill('')
  await ada.keyboard.press('ControlOrMeta+v')
  await expect(box).toHaveValue(/\/channels\/.*\?message=/)
})
