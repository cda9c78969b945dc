import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  composer,
  createChannel,
  createPrivateChannel,
  expect,
  message,
  sendMessages,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { messageId } from '../support/message-rows.ts'
import { composerReleased, settled } from '../support/settled.ts'

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }

const menu = (page: Page) => page.getByRole('menu', { name: 'Message actions' })
const editBox = (page: Page) => page.getByRole('textbox', { name: 'Edit message' })
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })

async function press(page: Page, text: string) {
  const words = message(page, text).locator('.prose')
  await composerReleased(page)
  // A trial tap only waits until the text has stopped moving.
  await words.tap({ trial: true })
  const { x, y } = (await words.boundingBox()) ?? { x: 0, y: 0 }
  const device = await page.context().newCDPSession(page)
  const touchPoints = [{ x: x + 10, y: y + 8 }]
  await device.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await expect(menu(page)).toBeVisible()
  await device.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await device.detach()
  // The browser handles a key after everything caused by lifting the finger.
  await page.keyboard.press('Shift')
  await settled(page)
  await expect(menu(page)).toBeVisible()
}

test('on a phone Enter adds a line, the button sends or saves, and the keyboard stays while one formats', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', PHONE)
  const { username } = await userOn(ada)
  await createChannel(ada, uniqueName('pocket'))
  const box = composer(ada)
  const formatting = ada.getByRole('button', { name: 'Formatting', exact: true })
  await expect(ada.getByRole('button', { name: 'Attach files' })).toBeVisible()
  await expect(formatting).toBeHidden()
  await expectAccessible(ada, 'a composer at rest')
  await box.tap()
  await formatting.tap()
  await ada.getByRole('button', { name: 'Bold', exact: true }).tap()
  await expect(box).toBeFocused()
  await ada.keyboard.type('loud')
  await expect(box).toHaveValue('**loud**')
  await expect(ada.getByRole('button', { name: 'Code block', exact: true })).toBeInViewport({ ratio: 1 })

  // Enter continues a list, and a tap chooses a suggestion.
  await box.fill('')
  await ada.keyboard.type('1. one')
  await ada.keyboard.press('Enter')
  await ada.keyboard.type(`@${username.slice(0, -1)}`)
  const option = ada.getByRole('option', { name: new RegExp(username) })
  await expect(option).toBeInViewport({ ratio: 1 })
  await option.tap()
  await expect(box).toHaveValue(`1. one\n2. @${username} `)
  await expect(box).toBeFocused()
  await send(ada).tap()
  await expect(message(ada, 'one')).toContainText(`@${username}`)
  await expect(box).toBeFocused()

  await messageId(ada, 'one')
  await message(ada, 'one').focus()
  await composerReleased(ada)
  await ada.keyboard.press('e')
  await expect(editBox(ada)).toBeFocused()
  await ada.keyboard.press('Enter')
  await ada.keyboard.type('three')
  const save = ada.getByRole('article').getByRole('button', { name: 'Save', exact: true })
  expect((await save.boundingBox())?.height).toBe(44)
  await save.tap()
  await expect(message(ada, 'one')).toContainText('three')
  await expect(message(ada, 'one')).toContainText('edited')
})

test('on a phone, a message that can be taken back is one line taller, and its buttons are large enough', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', PHONE)
  await createChannel(ada, uniqueName('patience'))
  await ada.context().addInitScript(() => localStorage.setItem('parley.undoSend', 'on'))
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
  await untilPreloaded(ada, 'preloaded')
  await composer(ada).fill('wait for it')
  await send(ada).tap()
  const row = message(ada, 'wait for it')
  const undo = row.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  const heightOf = async (part: typeof row) => (await part.boundingBox())?.height ?? 0
  const [held, line] = [await heightOf(row), await heightOf(undo)]
  const target = await undo.evaluate((button) => Number.parseFloat(getComputedStyle(button, '::after').height))
  expect(target).toBeGreaterThanOrEqual(44)
  await messageId(ada, 'wait for it')
  expect(held - (await heightOf(row))).toBeLessThanOrEqual(line + 1)
})

test('a long press on a message opens all its actions', async ({ person }) => {
  const ada = await person('Ada Lovelace', PHONE)
  await createChannel(ada, uniqueName('touch'))
  await composer(ada).fill('hold me')
  await send(ada).tap()
  await messageId(ada, 'hold me')
  await message(ada, 'hold me').tap()
  await expect(message(ada, 'hold me').getByRole('button')).toHaveText(['Ada Lovelace'])

  await press(ada, 'hold me')
  await expect(menu(ada).getByRole('menuitem')).toHaveCount(21)
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
  await expect(editBox(ada)).toBeFocused()
  await ada.getByRole('article').getByRole('button', { name: 'Cancel' }).tap()
  await expect(editBox(ada)).toHaveCount(0)

  const here = ada.url()
  await press(ada, 'hold me')
  await ada.goBack()
  await expect(menu(ada)).toHaveCount(0)
  await expect(message(ada, 'hold me')).toBeVisible()
  expect(ada.url()).toBe(here)

  await press(ada, 'hold me')
  await ada.touchscreen.tap(200, 100)
  await expect(menu(ada)).toHaveCount(0)
  await press(ada, 'hold me')
  await menu(ada).getByRole('menuitem', { name: 'Delete message' }).tap()
  await expect(message(ada, 'Message deleted')).toBeVisible()
})

test('on a phone a person’s card is a sheet, which Back closes; deactivated people are said to be so', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', PHONE)
  const bob = await person('Bob Kahn', { open: false })
  const { id } = await userOn(bob)
  const name = uniqueName('people')
  await createPrivateChannel(bob, ada, name)
  await sendMessages(bob, ['good morning'], ada.url())
  const row = message(ada, 'good morning')
  const sheet = ada.getByRole('dialog', { name: 'Profile of Bob Kahn' })
  // Its code loads once the page is idle.
  const open = () =>
    expect(async () => {
      if (!(await sheet.isVisible())) await row.getByRole('button', { name: 'Bob Kahn' }).tap()
      await expect(sheet).toBeVisible({ timeout: 2000 })
    }).toPass()
  await open()
  await expect
    .poll(async () => {
      const box = await sheet.boundingBox()
      return box && [box.x, box.width, box.y + box.height]
    })
    .toEqual([0, 390, 844])
  await expectAccessible(ada, 'sheet')
  await ada.goBack()
  await expect(sheet).toHaveCount(0)
  await expect(row).toBeVisible()

  await ada.route(`**/api/users**`, async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const deactivatedAt = '2026-01-01T00:00:00Z'
    const isOne = new URL(route.request().url()).pathname.endsWith(id)
    await route.fulfill({
      json: isOne ? { ...json, deactivatedAt } : json.filter((it: { id: string }) => it.id !== id),
    })
  })
  await ada.reload()
  await open()
  await expect(sheet).toContainText('Account deactivated')
  await expect(sheet.getByRole('button', { name: /Message|Mention/ })).toHaveCount(0)
})
