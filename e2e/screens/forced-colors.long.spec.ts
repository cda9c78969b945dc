import type { Locator, Page } from '@playwright/test'
import {
  callApi,
  channelIdOn,
  composer,
  createChannel,
  expect,
  message,
  say,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { UNTIL_OFFLINE } from '../support/live.ts'
import { clickAction } from '../support/message-rows.ts'
import { openSettings, showSettings } from '../support/settings.ts'
import { row } from '../support/sidebar.ts'

// Windows calls this high contrast: the page's own backgrounds and shadows are removed.

/** The visible properties of an element besides its text. */
const look = (element: Locator) =>
  element.evaluate((it) => {
    const {
      outlineStyle,
      outlineWidth,
      outlineColor,
      backgroundColor,
      borderTopStyle,
      borderTopWidth,
      borderTopColor,
    } = getComputedStyle(it)
    const isClear = (color: string) => color === 'transparent' || /^rgba\(.*, 0\)$/.test(color)
    const line = (style: string, width: string, color: string) =>
      style === 'none' || width === '0px' || isClear(color) ? 'none' : `${style} ${width} ${color}`
    return {
      outline: line(outlineStyle, outlineWidth, outlineColor),
      border: line(borderTopStyle, borderTopWidth, borderTopColor),
      ground: backgroundColor,
    }
  })

/** A system color as the browser serializes it. */
const systemColor = (page: Page, name: string) =>
  page.evaluate((color) => {
    const probe = document.createElement('i')
    probe.style.forcedColorAdjust = 'none'
    probe.style.color = color
    document.body.append(probe)
    const written = getComputedStyle(probe).color
    probe.remove()
    return written
  }, name)

const options = { forcedColors: 'active' } as const

test('in forced colours the open channel and selections have the system’s highlight colour, and focused fields are visible', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', options)
  const selected = await systemColor(ada, 'SelectedItem')
  const name = uniqueName('forced')
  await createChannel(ada, name)
  const frameOf = async (field: Locator) => (await look(field.locator('xpath=..'))).outline
  await ada.getByRole('button', { name: 'Members' }).focus()
  expect(await frameOf(composer(ada))).toBe('none')
  await composer(ada).focus()
  expect(await frameOf(composer(ada))).toContain('solid 2px')
  await ada.getByRole('button', { name: 'Create channel' }).click()
  const field = ada.getByLabel('Name', { exact: true })
  await field.focus()
  expect(await frameOf(field)).toContain('solid 2px')
  await ada.keyboard.press('Tab')
  expect(await frameOf(field)).toBe('none')
  await ada.keyboard.press('Escape')

  await expect.poll(async () => (await look(row(ada, name))).ground).toBe(selected)
  expect((await look(row(ada, 'general'))).ground).not.toBe(selected)
  await ada.getByRole('link', { name: 'Threads', exact: true }).click()
  await expect(ada.getByRole('link', { name: 'Threads', exact: true })).toHaveAttribute('aria-current', 'page')
  await expect
    .poll(async () => (await look(ada.getByRole('link', { name: 'Threads', exact: true }))).ground)
    .toBe(selected)

  await openSettings(ada, 'Appearance')
  const choice = (it: string) => ada.getByRole('dialog').locator('label').filter({ hasText: it }).first()
  await choice('Dark').click()
  // The theme chooses the set of system colors.
  const inDark = await systemColor(ada, 'SelectedItem')
  await expect.poll(async () => (await look(choice('Dark'))).ground).toBe(inDark)
  expect((await look(choice('Light'))).ground).not.toBe(inDark)
  expect((await look(ada.getByRole('dialog'))).border).not.toBe('none')
  await showSettings(ada, 'Keyboard')
  const box = ada.getByRole('checkbox', { name: 'Single-letter keys' })
  await expect(box).toBeChecked()
  const tick = box.locator('xpath=following-sibling::*')
  await expect(tick).toHaveCSS('color', await systemColor(ada, 'CanvasText'))
})

test('in forced colours only the active suggestion, menu item and search result are framed', async ({ person }) => {
  const ada = await person('Ada Lovelace', options)
  await createChannel(ada, uniqueName('framed'))
  await say(ada, 'something to act on')
  await composer(ada).pressSequentially(':smi')
  const suggestions = ada.getByRole('option')
  await expect(suggestions.nth(1)).toBeVisible()
  expect((await look(suggestions.nth(0))).outline).toContain('solid 2px')
  expect((await look(suggestions.nth(1))).outline).toBe('none')
  await ada.keyboard.press('ArrowDown')
  await expect.poll(async () => (await look(suggestions.nth(1))).outline).toContain('solid 2px')
  expect((await look(suggestions.nth(0))).outline).toBe('none')
  await composer(ada).fill('')

  await clickAction(ada, 'something to act on', 'More actions')
  const items = ada.getByRole('menuitem')
  await expect(items.first()).toBeVisible()
  await ada.keyboard.press('ArrowDown')
  await ada.keyboard.press('ArrowDown')
  const highlighted = ada.locator('[role=menuitem][data-highlighted]')
  await expect(highlighted).toHaveCount(1)
  expect((await look(highlighted)).outline).toContain('solid 2px')
  expect((await look(ada.locator('[role=menuitem]:not([data-highlighted])').first())).outline).toBe('none')
  expect((await look(ada.getByRole('menu'))).border).not.toBe('none')
  await ada.keyboard.press('Escape')

  await ada.keyboard.press('Control+k')
  await ada.getByRole('dialog').getByRole('combobox').fill('framed')
  const active = ada.locator('[role=option][aria-selected=true]')
  await expect(active).toHaveCount(1)
  expect((await look(active)).outline).toContain('solid 2px')
})

test('in forced colours presence, badges, mentions, reactions and linked messages are distinguishable', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', options)
  const bob = await person('Bob Kahn')
  const [adaIs, bobIs] = [await userOn(ada), await userOn(bob)]
  const canvas = await systemColor(ada, 'Canvas')
  const { id } = await callApi(ada, 'POST', '/api/direct-messages', { userIds: [bobIs.id] })
  const dot = row(ada, 'Bob Kahn').locator('[aria-hidden=true][title]')
  await expect(dot).toBeVisible()
  await expect(row(ada, 'Bob Kahn')).toContainText('online')
  // A filled dot means online, a ring offline.
  await expect.poll(async () => (await look(dot)).ground).not.toBe(canvas)
  await callApi(bob, 'POST', '/api/messages', { channelId: id, content: 'hello' })
  const badge = row(ada, 'Bob Kahn').getByTitle('1 unread')
  await expect(badge).toBeVisible()
  expect((await look(badge)).outline).not.toBe('none')
  await bob.context().setOffline(true)
  await bob.close()
  await expect(row(ada, 'Bob Kahn')).toContainText('offline', UNTIL_OFFLINE)
  await expect.poll(async () => (await look(dot)).border).not.toBe('none')
  const text = await systemColor(ada, 'CanvasText')
  await expect.poll(async () => (await look(dot)).ground).not.toBe(text)

  await createChannel(ada, uniqueName('states'))
  await say(ada, 'react to me')
  await clickAction(ada, 'react to me', 'Add reaction')
  await ada.getByRole('dialog').getByRole('searchbox').fill('thumbs up')
  await ada.keyboard.press('Enter')
  const mine = message(ada, 'react to me').locator('[aria-pressed=true]')
  await expect(mine).toBeVisible()
  const highlight = await systemColor(ada, 'SelectedItem')
  await expect.poll(async () => (await look(mine)).ground).toBe(highlight)

  const carl = await person('Carl Gauss', { open: false })
  await callApi(carl, 'POST', `/api/channels/${channelIdOn(ada)}/join`)
  const content = `@${adaIs.username} look`
  await callApi(carl, 'POST', '/api/messages', { channelId: channelIdOn(ada), content })
  const calling = message(ada, 'look').last()
  await expect(calling).toBeVisible()
  const bar = await calling.evaluate((it) => getComputedStyle(it, '::before').borderInlineStartWidth)
  expect(Number.parseFloat(bar)).toBeGreaterThanOrEqual(3)
  await calling.hover()
  await expect.poll(async () => (await look(calling)).outline).toContain('dashed')
  const sent = ada.getByRole('button', { name: 'Send', exact: true })
  expect((await look(sent)).border).not.toBe('none')
})
