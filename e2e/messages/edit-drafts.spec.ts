import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  composer,
  createChannel,
  expect,
  message,
  messageTexts,
  openTab,
  say,
  sendMessages,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { clickAction, messageId } from '../support/message-rows.ts'
import { settled } from '../support/settled.ts'
import { row, undoButton } from '../support/sidebar.ts'
import { createSharedChannel, openThread, panel, reply } from '../support/threads.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Edit message' })
const button = (page: Page, name: string) => page.getByRole('article').getByRole('button', { name, exact: true })

test('an unsaved edit survives a reload, shows in other tabs, and ends in all of them when it is saved', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('kept'))
  await say(ada, 'the first try')
  await messageId(ada, 'the first try')
  await clickAction(ada, 'the first try', 'Edit message')
  await box(ada).fill('the second try')
  await ada.reload()
  await button(ada, 'Unsaved edit').click()
  await expect(box(ada)).toHaveValue('the second try')
  await expect(box(ada)).toBeFocused()
  const other = await openTab(ada)
  await expect(button(other, 'Unsaved edit')).toBeVisible()
  await box(ada).press('Enter')
  await expect(message(other, 'the second try')).toContainText('edited')
  await expect(button(other, 'Unsaved edit')).toHaveCount(0)
  await other.reload()
  await expect(message(other, 'the second try')).toBeVisible()
  await expect(button(other, 'Unsaved edit')).toHaveCount(0)
})

test('an edit takes the focus only when it is opened, so text typed for a new message stays there', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('focus')
  await createChannel(ada, name)
  await say(ada, 'the old message')
  await messageId(ada, 'the old message')
  await composer(ada).press('ArrowUp')
  await expect(box(ada)).toBeFocused()
  await row(ada, 'general').click()
  await expect(ada.getByRole('heading', { name: 'general' })).toBeVisible()
  await row(ada, name).click()
  await expect(composer(ada)).toBeFocused()
  await ada.keyboard.type('hello all')
  await ada.keyboard.press('Enter')
  await expect(message(ada, 'hello all')).toBeVisible()
  await expect(message(ada, 'the old message')).not.toContainText('hello all')
})

test('an edit that scrolls out of view and back does not take the focus', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('scrolled'))
  await sendMessages(ada, [...Array.from({ length: 60 }, (_, nth) => `line ${nth}`), 'the last line'])
  await clickAction(ada, 'the last line', 'Edit message')
  await expect(box(ada)).toBeFocused()
  const list = ada.getByRole('region', { name: 'Messages', exact: true })
  await list.hover()
  await ada.mouse.wheel(0, -20_000)
  await expect(box(ada)).toHaveCount(0)
  // Even out of view, it does not move the focus to the composer.
  await expect(composer(ada)).not.toBeFocused()
  await say(ada, 'a new message')
  await expect(message(ada, 'a new message')).toBeVisible()
  await expect(box(ada)).toBeVisible()
  await expect(composer(ada)).toBeFocused()
  await ada.keyboard.type('another one')
  await ada.keyboard.press('Enter')
  await expect.poll(() => messageTexts(ada)).toContain('another one')
  await expect(box(ada)).toHaveValue('the last line')
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

test('a conflict that only the server knows of is shown, and nothing is overwritten', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  await createSharedChannel(ada, bob)
  await say(ada, 'a question')
  await openThread(ada, 'a question')
  await reply(ada, 'reply 0')
  await messageId(ada, 'reply 0')
  const other = await openTab(ada)
  await expect(panel(other).getByRole('article').filter({ hasText: 'reply 0' })).toBeVisible()
  await clickAction(ada, 'reply 0', 'Edit message')
  await box(ada).fill('reply 1')
  // This tab receives no events, so it saves an outdated version.
  await ada.evaluate(() => {
    WebSocket.prototype.send = () => {}
    Object.defineProperty(MessageEvent.prototype, 'data', { get: () => '' })
  })
  await clickAction(other, 'reply 0', 'Edit message')
  await box(other).fill('reply 2')
  await box(other).press('Enter')
  await expect(panel(other).getByRole('article').filter({ hasText: 'reply 2' })).toContainText('edited')
  await box(ada).press('Enter')
  await expect(ada.getByRole('article').getByRole('alert')).toContainText('This message was changed in the meantime')
  await expect(ada.getByRole('article').getByRole('alert')).toContainText('reply 2')
  await expect(box(ada)).toHaveValue('reply 1')
})

test('an edit reopened while it is being saved keeps newly typed text', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('slowly'))
  await say(ada, 'begun')
  await messageId(ada, 'begun')
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await ada.route('**/api/messages/*', async (route) => {
    if (route.request().method() === 'PUT' || route.request().method() === 'PATCH') await held
    await route.continue()
  })
  const edited = ada.getByRole('textbox', { name: 'Edit message' })
  await composer(ada).press('ArrowUp')
  await edited.fill('begun and saved')
  await edited.press('Enter')
  await edited.press('Escape')
  await expect(edited).toHaveCount(0)
  await composer(ada).press('ArrowUp')
  await edited.press('End')
  await edited.pressSequentially(' and more')
  const answered = ada.waitForResponse((it) => it.request().method() !== 'GET' && /api\/messages\//.test(it.url()))
  release()
  await answered
  await settled(ada)
  await edited.press('Enter')
  await expect(edited).toHaveCount(0)
  await expect(message(ada, 'begun and saved and more')).toContainText('edited')
})
