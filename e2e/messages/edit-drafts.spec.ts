import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  openTab,
  say,
  sendMessages,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { clickAction, messageId, toast } from '../support/message-rows.ts'
import { goTo, undoButton } from '../support/sidebar.ts'
import { conversation } from '../support/threads.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Edit message' })
const button = (page: Page, name: string) => page.getByRole('article').getByRole('button', { name, exact: true })

test('an unsaved edit survives Escape, scrolling and a reload, shows in other tabs, and ends by saving or Cancel', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('kept'))
  await sendMessages(ada, ['the first', ...Array.from({ length: 40 }, (_, i) => `filler ${i}`), 'the last'])
  await clickAction(ada, 'the last', 'Edit message')
  await box(ada).fill('the last one')
  await box(ada).press('Escape')
  await expect(box(ada)).toHaveCount(0)
  await expect(message(ada, 'the last')).toContainText('Unsaved edit')
  await button(ada, 'Unsaved edit').click()
  await expect(box(ada)).toHaveValue('the last one')

  await conversation(ada).hover()
  await ada.mouse.wheel(0, -20_000)
  await expect(message(ada, 'the first')).toBeInViewport()
  await expect(box(ada)).toHaveCount(0)
  // Even out of view, it does not move the focus to the composer.
  await expect(composer(ada)).not.toBeFocused()
  await ada.mouse.wheel(0, 20_000)
  await expect(box(ada)).toHaveValue('the last one')

  await ada.reload()
  await button(ada, 'Unsaved edit').click()
  await expect(box(ada)).toHaveValue('the last one')
  await expect(box(ada)).toBeFocused()
  const other = await openTab(ada)
  await expect(button(other, 'Unsaved edit')).toBeVisible()
  await box(ada).press('Enter')
  await expect(message(other, 'the last one')).toContainText('edited')
  await expect(button(other, 'Unsaved edit')).toHaveCount(0)
  await other.reload()
  await expect(message(other, 'the last one')).toBeVisible()
  await expect(button(other, 'Unsaved edit')).toHaveCount(0)

  await clickAction(other, 'filler 39', 'Edit message')
  await box(other).fill('changed')
  await button(other, 'Cancel').click()
  await expect(box(other)).toHaveCount(0)
  await expect(other.getByText('Unsaved edit')).toHaveCount(0)
  await clickAction(other, 'filler 39', 'Edit message')
  await expect(box(other)).toHaveValue('filler 39')
  // An unchanged text is neither stored as a draft nor saved.
  await box(other).press('Enter')
  await expect(box(other)).toHaveCount(0)
  await expect(message(other, 'filler 39').getByText('edited')).toHaveCount(0)
})

test('an edit takes the focus only when it is opened, so text typed for a new message stays there', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('focus')
  await createChannel(ada, name)
  await say(ada, 'the old message')
  await messageId(ada, 'the old message')
  await composer(ada).press('ArrowUp')
  await expect(box(ada)).toBeFocused()
  await goTo(ada, 'general')
  await goTo(ada, name)
  await expect(composer(ada)).toBeFocused()
  await ada.keyboard.type('hello all')
  await ada.keyboard.press('Enter')
  await expect(message(ada, 'hello all')).toBeVisible()
  await expect(message(ada, 'the old message')).not.toContainText('hello all')
})

test('an edit that conflicts with another one shows both, and lets the user choose', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('conflict'))
  await say(ada, 'version 0')
  await messageId(ada, 'version 0')
  const other = await openTab(ada)
  const change = async (page: Page, from: string, to: string) => {
    await clickAction(page, from, 'Edit message')
    await box(page).fill(to)
  }
  await change(ada, 'version 0', 'version 1')
  await other.keyboard.press('Escape')
  await change(other, 'version 0', 'version 2')
  await box(other).press('Enter')
  await expect(message(other, 'version 2')).toContainText('edited')
  const note = ada.getByRole('article').getByRole('alert')
  await expect(note).toContainText('This message was changed in the meantime')
  await expect(note).toContainText('version 2')
  await box(ada).press('Enter')
  await expect(box(ada)).toHaveValue('version 1')
  await expect(message(other, 'version 2')).toBeVisible()
  await expectAccessible(ada)
  await button(ada, 'Save mine anyway').click()
  // The event may arrive before the response: until then, Ada's draft is still based on an old version.
  await expect(box(ada)).toHaveCount(0)
  await expect(message(other, 'version 1')).toContainText('edited')

  await change(ada, 'version 1', 'version 3')
  await change(other, 'version 1', 'version 4')
  await button(other, 'Save').click()
  await expect(note).toContainText('version 4')
  await button(ada, 'Discard mine').click()
  const undo = await undoButton(ada, 'Edit discarded')
  await expect(box(ada)).toHaveCount(0)
  await expect(message(ada, 'version 4')).toBeVisible()
  // Undo restores the discarded edit.
  await undo.click()
  await button(ada, 'Unsaved edit').click()
  await expect(box(ada)).toHaveValue('version 3')
})

test('an edit says at once that its message was deleted elsewhere, and that it takes no files', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('gone'))
  await sendMessages(ada, ['to be deleted'])
  const id = await messageId(ada, 'to be deleted')
  await clickAction(ada, 'to be deleted', 'Edit message')
  await box(ada).fill('half an edit')
  await box(ada).evaluate((field) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['x'], 'picture.png', { type: 'image/png' }))
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(toast(ada, 'Files can’t be added to a sent message')).toBeVisible()
  await callApi(ada, 'DELETE', `/api/messages/${id}`)
  await expect(ada.getByRole('article').getByRole('alert')).toContainText('This message was deleted')
  await expect(button(ada, 'Save')).toBeDisabled()
  await box(ada).press('Enter')
  await expect(box(ada)).toHaveValue('half an edit')
})
