import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { callApi, expect, message, sendMessages, test, userOn } from '../support/fixtures.ts'

/** The Arabic texts, by id. */
const arabic: Record<string, string> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../languages/ar.json'), 'utf8'),
)
function text(id: string) {
  const found = arabic[id]
  if (found === undefined) throw new Error(`no text has the id ${id}`)
  return found
}
const button = (page: Page | Locator, id: string) => page.getByRole('button', { name: text(id), exact: true })

/** The position of an element in the window. */
async function sides(part: Locator) {
  await expect(part).toBeVisible()
  const { x, width } = (await part.boundingBox()) as { x: number; width: number }
  return { left: x, right: x + width }
}

/** How many pixels of the page lie beyond a side of the window. */
const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

test('in Arabic the page is mirrored, while Bob reads English', async ({ person, browser, server }) => {
  const visitor = await (await browser.newContext({ baseURL: server.address, locale: 'ar' })).newPage()
  await visitor.goto('/sign-in')
  await expect(visitor.getByRole('heading', { name: text('signIn.title') })).toBeVisible()
  await expect(visitor.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(visitor.locator('html')).toHaveAttribute('lang', 'ar')
  await expectAccessible(visitor, 'sign-in in Arabic')
  await visitor.context().close()

  const [ada, bob] = await Promise.all([person('Ada Lovelace', { locale: 'ar' }), person('Bob Kahn')])
  const name = `rtl-${Date.now().toString(36)}`
  const { id } = await callApi(ada, 'POST', '/api/channels', { name })
  await callApi(bob, 'POST', `/api/channels/${id}/join`)
  await Promise.all([ada.goto(`/channels/${id}`), bob.goto(`/channels/${id}`)])
  await expect(bob.locator('html')).toHaveAttribute('dir', 'ltr')

  const messages = ada.getByRole('region', { name: text('messages.list.label'), exact: true })
  const sidebar = ada.getByRole('navigation', { name: text('shell.conversations') })
  expect((await sides(sidebar)).left).toBeGreaterThanOrEqual((await sides(messages)).right - 1)

  // The placeholder is Arabic; typed text has its own direction.
  const composer = ada.getByPlaceholder(text('messages.composer.messagePlaceholder'))
  await expect(composer).toHaveCSS('direction', 'rtl')
  const send = button(ada, 'messages.composer.send')
  expect((await sides(send)).left).toBeLessThan((await sides(button(ada, 'messages.composer.attach'))).left)
  await composer.fill('Run it')
  await expect(composer).toHaveCSS('direction', 'ltr')
  await composer.fill('مرحبًا Bob، جرّب `npm test` قبل 10:30')
  await expect(composer).toHaveCSS('direction', 'rtl')
  await composer.press('Enter')
  await sendMessages(bob, ['Hello, مرحبا'], ada.url())
  const [arabicRow, englishRow] = [message(ada, 'جرّب'), message(ada, 'Hello')]
  await expect(englishRow).toBeVisible()
  await expect(arabicRow.locator('.prose > p')).toHaveCSS('direction', 'rtl')
  await expect(englishRow.locator('.prose > p')).toHaveCSS('direction', 'ltr')
  await expect(arabicRow.locator('code')).toHaveCSS('direction', 'ltr')
  await expect(message(bob, 'جرّب').locator('.prose > p')).toHaveText('مرحبًا Bob، جرّب npm test قبل 10:30')

  // A thread opens on the left.
  await englishRow.and(ada.locator('[data-message]')).hover()
  await button(englishRow, 'messages.actions.reply').first().click()
  const panel = ada.getByRole('complementary', { name: text('messages.thread.title'), exact: true })
  expect((await sides(panel)).right).toBeLessThanOrEqual((await sides(messages)).left + 1)
  const replyBox = ada.getByPlaceholder(text('messages.composer.replyPlaceholder'))
  await replyBox.fill('رد من Ada')
  await replyBox.press('Enter')
  await expect(message(bob, 'Hello').getByRole('button', { name: /^1 reply/ })).toBeVisible()
  await expectAccessible(ada, 'channel and thread in Arabic')
  await button(panel, 'messages.thread.close').click()
  await expect(panel).toHaveCount(0)

  // My menu, by keyboard: the username starts with its @.
  const { username } = await userOn(ada)
  const account = button(ada, 'shell.menu.account')
  const menu = ada.getByRole('menu', { name: text('shell.menu.account') })
  await expect(async () => {
    await account.focus()
    await ada.keyboard.press('Enter')
    await expect(menu).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(menu.getByText(`@${username}`)).toHaveCSS('direction', 'ltr')
  await ada.keyboard.press('ArrowDown')
  await ada.keyboard.press('ArrowUp')
  await ada.keyboard.press('End')
  await expect(menu.getByRole('menuitem', { name: text('identity.signOut.button') })).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(account).toBeFocused()

  // The left arrow moves to the button on the left.
  await button(ada, 'messages.format.label').click()
  const bold = ada
    .getByRole('toolbar', { name: text('messages.format.label') })
    .getByRole('button')
    .first()
  const italic = button(ada, 'messages.format.italic')
  expect((await sides(italic)).right).toBeLessThanOrEqual((await sides(bold)).left)
  await bold.focus()
  await ada.keyboard.press('ArrowLeft')
  await expect(italic).toBeFocused()
  await ada.keyboard.press('ArrowRight')
  await expect(bold).toBeFocused()

  await ada.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => sideways(ada)).toBe(0)
  await button(ada, 'shell.showChannels').click()
  const row = ada.locator(`nav a[href="/channels/${id}"]`)
  await expect.poll(async () => (await sides(row)).right).toBeGreaterThan(350)
  expect((await sides(row)).left).toBeGreaterThan(20)
  await expect.poll(() => sideways(ada)).toBe(0)
})
