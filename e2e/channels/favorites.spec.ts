import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  openGeneral,
  say,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { toast } from '../support/message-rows.ts'
import { chooseChannelAction, goTo, row } from '../support/sidebar.ts'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const namesIn = (page: Page, name: string) =>
  section(page, name).getByRole('link').locator('.truncate[title]').allInnerTexts()

test('favorites stand above the other sections, and only there, in every tab and after a reload', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const [first, second] = ['aa', 'bb'].map(uniqueName) as [string, string]
  await createChannel(bob, first)
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

test('keys go through the sidebar as it is seen, and the focus follows a row to its section', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('zz')
  await createChannel(ada, name)
  const dots = ada.getByRole('button', { name: `Actions for ${name}` })
  for (const [item, place] of [
    ['Add to favorites', 'FAVORITES'],
    ['Remove from favorites', 'CHANNELS'],
    ['Add to favorites', 'FAVORITES'],
  ] as const) {
    await row(ada, name).focus()
    await ada.keyboard.press('Tab')
    await expect(dots).toBeFocused()
    await ada.keyboard.press('Enter')
    await expect(ada.getByRole('menu')).toBeFocused()
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
})

test('a favorite counts what is unread as before, and is back in its section if it cannot be stored', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = uniqueName('counted')
  const channel = await callApi(ada, 'POST', '/api/channels', { name, members: [(await userOn(bob)).id] })
  await chooseChannelAction(bob, name, 'Add to favorites')
  await openGeneral(bob)
  await goTo(ada, name)
  await say(ada, `@${(await userOn(bob)).username} look`)
  await expect(section(bob, 'FAVORITES').getByRole('link', { name })).toContainText('1 mention')
  await bob.route(`**/api/channels/${channel.id}/favorite`, (route) => route.abort())
  await chooseChannelAction(bob, name, 'Remove from favorites')
  await expect(toast(bob, 'Failed to remove from favorites')).toHaveCount(1)
  await expect(section(bob, 'FAVORITES').getByRole('link', { name })).toBeVisible()
  await expect(section(bob, 'CHANNELS').getByRole('link', { name })).toHaveCount(0)
})
