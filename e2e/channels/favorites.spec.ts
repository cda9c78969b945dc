import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { callApi, composer, createChannel, expect, test, uniqueName, userOn } from '../support/fixtures.ts'
import { chooseChannelAction, row } from '../support/sidebar.ts'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const namesIn = (page: Page, name: string) =>
  section(page, name).getByRole('link').locator('.truncate[title]').allInnerTexts()

test('favorites stand above the other sections, and only there, in every tab and after a reload', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const [first, second] = ['aa', 'bb'].map(uniqueName) as [string, string]
  const firstId = await createChannel(bob, first)
  await createChannel(bob, second)
  await callApi(bob, 'POST', '/api/direct-messages', { userIds: [(await userOn(ada)).id] })
  const other = await bob.context().newPage()
  await other.goto('/')
  await expect(row(other, first)).toBeVisible()
  await expect(section(bob, 'FAVORITES')).toHaveCount(0)

  await chooseChannelAction(bob, 'Ada Lovelace', 'Add to favorites')
  await chooseChannelAction(bob, second, 'Add to favorites')
  await chooseChannelAction(other, first, 'Add to favorites')
  for (const tab of [bob, other]) {
    await expect.poll(() => namesIn(tab, 'FAVORITES')).toEqual([first, second, 'Ada Lovelace'])
    await expect(section(tab, 'CHANNELS').getByRole('link', { name: first })).toHaveCount(0)
    await expect(section(tab, 'DIRECT MESSAGES').getByRole('link', { name: 'Ada Lovelace' })).toHaveCount(0)
    const headings = tab.getByRole('navigation', { name: 'Conversations' }).getByRole('heading')
    await expect(headings).toHaveText(['FAVORITES', 'CHANNELS', 'DIRECT MESSAGES'])
  }
  // Unread messages are counted as before.
  await callApi(ada, 'POST', `/api/channels/${firstId}/join`)
  const content = `@${(await userOn(bob)).username} look`
  await callApi(ada, 'POST', '/api/messages', { channelId: firstId, content })
  await expect(section(bob, 'FAVORITES').getByRole('link', { name: first })).toContainText('1 mention')
  await bob.reload()
  await expect.poll(() => namesIn(bob, 'FAVORITES')).toEqual([first, second, 'Ada Lovelace'])
  await expectAccessible(bob)

  await chooseChannelAction(other, first, 'Remove from favorites')
  await chooseChannelAction(other, second, 'Remove from favorites')
  await chooseChannelAction(other, 'Ada Lovelace', 'Remove from favorites')
  for (const tab of [bob, other]) {
    await expect(section(tab, 'FAVORITES')).toHaveCount(0)
    await expect(section(tab, 'CHANNELS').getByRole('link', { name: first })).toBeVisible()
    await expect(section(tab, 'DIRECT MESSAGES').getByRole('link', { name: 'Ada Lovelace' })).toBeVisible()
  }
})

test('keys open the menu of a row and go through the sidebar; on touch the menu is in the open row and the header', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('zz')
  await createChannel(ada, name)
  const dots = ada.getByRole('button', { name: `Actions for ${name}` })
  const openMenu = async () => {
    await row(ada, name).focus()
    await ada.keyboard.press('Tab')
    await expect(dots).toBeFocused()
    await ada.keyboard.press('Enter')
    await expect(ada.getByRole('menu')).toBeFocused()
  }
  await openMenu()
  await ada.keyboard.press('ArrowDown')
  await expect(ada.getByRole('menuitem', { name: 'Members' })).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(dots).toBeFocused()
  await expect(dots).toHaveCSS('opacity', '1')
  await openMenu()
  await ada.keyboard.press('ArrowUp')
  await expect(ada.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await ada.keyboard.press('Enter')
  await expect(ada.getByRole('dialog', { name: 'Delete Channel' })).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(dots).toBeFocused()

  // The focus follows a row to its section.
  for (const [item, place] of [
    ['Add to favorites', 'FAVORITES'],
    ['Remove from favorites', 'CHANNELS'],
    ['Add to favorites', 'FAVORITES'],
  ] as const) {
    await openMenu()
    await ada.getByRole('menuitem', { name: item }).press('Enter')
    await expect(section(ada, place).getByRole('link', { name })).toBeFocused()
    await expect(section(ada, place).getByRole('link', { name })).toBeInViewport()
  }
  await ada.keyboard.press('ArrowDown')
  await expect(section(ada, 'CHANNELS').getByRole('link').first()).toBeFocused()
  await composer(ada).focus()
  await ada.keyboard.press('Alt+ArrowDown')
  await expect(section(ada, 'CHANNELS').getByRole('link').first()).toHaveAttribute('aria-current', 'page')
  await ada.keyboard.press('Alt+ArrowUp')
  await expect(row(ada, name)).toHaveAttribute('aria-current', 'page')

  const eve = await person('Eve Adams', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await eve.getByRole('heading', { name: 'general' }).getByRole('button').tap()
  await eve.getByRole('menuitem', { name: 'Members' }).tap()
  await expect(eve.getByRole('dialog', { name: 'Members in #general' })).toBeVisible()
  await eve.getByRole('button', { name: 'Close', exact: true }).tap()
  await eve.getByRole('button', { name: 'Show channels' }).tap()
  await eve.getByRole('button', { name: 'Actions for general' }).tap()
  await expect(eve.getByRole('menuitem', { name: 'Mute' })).toBeVisible()
})
