import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  say,
  sendMessages,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { chooseAction, clickAction, messageId } from '../support/message-rows.ts'
import { composerReleased } from '../support/settled.ts'
import { createSharedChannel, inConversation, inThread, openThread, panel, reply } from '../support/threads.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Edit message' })
const button = (page: Page, name: string) => page.getByRole('article').getByRole('button', { name, exact: true })

test('an edit shows at once to others with its time, and the focus returns to the composer', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'a thougt')
  await expect(message(bob, 'a thougt')).toBeVisible()
  await composer(ada).fill('meanwhile')
  await clickAction(ada, 'a thougt', 'Edit message')
  await expect(box(ada)).toBeFocused()
  await expect(box(ada)).toHaveValue('a thougt')
  await box(ada).fill('a thought')
  await box(ada).dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
  await box(ada).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })
  // Safari sends the Escape that ends a composition after the composition has ended.
  await box(ada).dispatchEvent('keydown', { key: 'Escape', keyCode: 229, bubbles: true })
  await box(ada).press('End')
  await box(ada).press('Shift+Enter')
  await ada.keyboard.type('in two lines')
  await expect(box(ada)).toHaveValue('a thought\nin two lines')
  await box(ada).press('Enter')
  await expect(box(ada)).toHaveCount(0)
  for (const page of [ada, bob]) {
    await expect(message(page, 'a thought')).toContainText('in two lines')
    await expect(message(page, 'a thought').getByText('edited')).toHaveAttribute('title', /^Edited .*\d{4} at \d/)
  }
  await expect(composer(ada)).toBeFocused()
  await expect(composer(ada)).toHaveValue('meanwhile')

  await message(bob, 'a thought').hover()
  await expect(message(bob, 'a thought').getByRole('button', { name: 'Reply in thread' })).toBeVisible()
  await expect(message(bob, 'a thought').getByRole('button', { name: 'Edit message' })).toHaveCount(0)
})

test('Escape leaves an edit and keeps its text; Cancel discards it', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('leaving'))
  await sendMessages(ada, ['the first', ...Array.from({ length: 40 }, (_, i) => `filler ${i}`), 'the last'])
  await clickAction(ada, 'the last', 'Edit message')
  await box(ada).fill('the last one')
  await box(ada).press('Escape')
  await expect(box(ada)).toHaveCount(0)
  await expect(message(ada, 'the last')).toContainText('Unsaved edit')
  await button(ada, 'Unsaved edit').click()
  await expect(box(ada)).toHaveValue('the last one')

  // The edit survives while its row is scrolled out of view.
  const list = ada.getByRole('region', { name: 'Messages', exact: true })
  await list.hover()
  await ada.mouse.wheel(0, -20_000)
  await expect(message(ada, 'the first')).toBeInViewport()
  await expect(box(ada)).toHaveCount(0)
  await ada.mouse.wheel(0, 20_000)
  await expect(box(ada)).toHaveValue('the last one')

  await button(ada, 'Cancel').click()
  await expect(box(ada)).toHaveCount(0)
  await expect(ada.getByText('Unsaved edit')).toHaveCount(0)
  await clickAction(ada, 'the last', 'Edit message')
  await expect(box(ada)).toHaveValue('the last')
  // An unchanged text is neither stored as a draft nor saved.
  await box(ada).press('Enter')
  await expect(box(ada)).toHaveCount(0)
  await expect(message(ada, 'the last').getByText('edited')).toHaveCount(0)
})

test('an edit that cannot be saved stays open with the reason', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(bob, 'mine to change')
  const id = await messageId(ada, 'mine to change')
  await clickAction(bob, 'mine to change', 'Edit message')
  const refusedWith = async (text: string, reason: string) => {
    await box(bob).fill(text)
    await button(bob, 'Save').click()
    await expect(bob.getByRole('article').getByRole('alert')).toHaveText(reason)
    await expect(box(bob)).toHaveValue(text)
  }
  await refusedWith('  \n ', "Messages can't be empty. Delete it instead?")

  await box(bob).fill('x'.repeat(10_001))
  await expect(bob.getByRole('article').getByRole('alert')).toHaveText('Too long by 1 character')
  await expect(button(bob, 'Save')).toBeDisabled()

  await bob.context().setOffline(true)
  await refusedWith('written in the dark', 'Failed to edit message: no connection')
  await bob.context().setOffline(false)
  await button(bob, 'Save').click()
  await expect(message(ada, 'written in the dark')).toContainText('edited')

  await clickAction(bob, 'written in the dark', 'Edit message')
  await box(bob).fill('too late')
  await callApi(ada, 'DELETE', `/api/messages/${id}`)
  await expect(message(ada, 'Message deleted')).toBeVisible()
  await refusedWith('too late', 'Failed to edit message: the message was deleted')
  await box(bob).press('Escape')
  await expect(message(bob, 'Message deleted')).toBeVisible()
})

test('E edits the focused row, and the focus returns to it', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('keys'))
  await say(ada, 'by hand')
  // Only stored messages can be edited.
  await messageId(ada, 'by hand')
  await ada.getByRole('region', { name: 'Messages', exact: true }).focus()
  await ada.keyboard.press('ArrowUp')
  await ada.keyboard.press('e')
  await expect(box(ada)).toBeFocused()
  await expect(box(ada)).toHaveValue('by hand')
  await ada.keyboard.type(' and by key')
  await ada.keyboard.press('Enter')
  await expect(message(ada, 'by hand and by key')).toBeFocused()
  await ada.keyboard.press('e')
  await ada.keyboard.press('Escape')
  await expect(message(ada, 'by hand and by key')).toBeFocused()
})

test('a reply is edited and deleted in its thread, and the thread’s parent too', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'a question')
  await openThread(ada, 'a question')
  await reply(ada, 'an anser')
  await expect(inConversation(bob, 'a question')).toContainText('1 reply')
  await openThread(bob, 'a question')
  await clickAction(ada, 'an anser', 'Edit message')
  await box(ada).fill('an answer, to be thought over')
  // Each Escape closes one thing.
  await box(ada).press('Escape')
  await expect(box(ada)).toHaveCount(0)
  await expect(panel(ada)).toBeVisible()
  await inThread(ada, 'an anser').getByRole('button', { name: 'Unsaved edit' }).click()
  await box(ada).press('Enter')
  await expect(inThread(bob, 'an answer, to be thought over')).toContainText('edited')

  await clickAction(ada, 'an answer', 'More actions')
  await expect(ada.getByRole('menu')).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(ada.getByRole('menu')).toHaveCount(0)
  await expect(panel(ada)).toBeVisible()
  await chooseAction(ada, 'an answer', 'Delete message')
  await expect(inThread(bob, 'Message deleted')).toBeVisible()
  await expect(inConversation(bob, 'a question').getByRole('button', { name: /repl/ })).toHaveCount(0)

  await inThread(ada, 'a question').hover()
  await inThread(ada, 'a question').getByRole('button', { name: 'Edit message' }).click()
  await box(ada).fill('a better question')
  await box(ada).press('Enter')
  for (const page of [ada, bob]) {
    await expect(inConversation(page, 'a better question')).toContainText('edited')
    await expect(inThread(page, 'a better question')).toContainText('edited')
  }
})

test('on touch, Enter in an edit adds a line, and the button saves', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  await createChannel(ada, uniqueName('touch'))
  await composer(ada).fill('one')
  await ada.getByRole('button', { name: 'Send', exact: true }).tap()
  await messageId(ada, 'one')
  await message(ada, 'one').focus()
  await composerReleased(ada)
  await ada.keyboard.press('e')
  await expect(box(ada)).toBeFocused()
  await ada.keyboard.press('Enter')
  await ada.keyboard.type('two')
  expect((await button(ada, 'Save').boundingBox())?.height).toBe(44)
  await button(ada, 'Save').tap()
  await expect(message(ada, 'one')).toContainText('two')
  await expect(message(ada, 'one')).toContainText('edited')
})

test('the edit box is accessible', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('everyone'))
  await say(ada, 'a message')
  await clickAction(ada, 'a message', 'Edit message')
  await box(ada).fill('')
  await button(ada, 'Save').click()
  await expectAccessible(ada)
})
