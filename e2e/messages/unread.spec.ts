import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  channelIdOn,
  createChannel,
  expect,
  openGeneral,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { toast } from '../support/message-rows.ts'
import { chooseChannelAction, chooseFromWorkspaceMenu, joinChannel, row, undoButton } from '../support/sidebar.ts'

const picture = (page: Page) => page.locator('link[rel=icon]').getAttribute('href')
/** The unread badge in the tab's title, and its icon. */
const tab = (page: Page) => expect.poll(async () => [(await page.title()).split(' · ')[0], await picture(page)])
/** Sends a message without a page, and returns its id. */
const write = async (page: Page, channelId: string, content: string): Promise<string> =>
  (await callApi(page, 'POST', '/api/messages', { channelId, content })).id

test('the tab’s title and icon show unread messages and mentions', { tag: '@long' }, async ({ person, network }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { address: network.address })
  const name = uniqueName('tabs')
  const channelId = await createChannel(ada, name)
  await joinChannel(bob, name)
  await openGeneral(bob)
  await tab(bob).toEqual(['#general', '/icon.svg'])
  await write(ada, channelId, 'anybody?')
  await tab(bob).toEqual(['• #general', '/icon-unread.svg'])
  const { id, username } = await userOn(bob)
  await write(ada, channelId, `@${username} are you there?`)
  await tab(bob).toEqual(['(1) #general', '/icon-calls.svg'])
  const direct = await callApi(ada, 'POST', '/api/direct-messages', { userIds: [id] })
  for (const text of ['psst', 'hello?']) await write(ada, direct.id, text)
  await tab(bob).toEqual(['(3) #general', '/icon-calls.svg'])
  for (const sign of ['/icon-unread.svg', '/icon-calls.svg'])
    expect((await bob.request.get(sign)).headers()['content-type']).toContain('svg')

  // A muted channel counts only mentions.
  await chooseChannelAction(bob, 'Ada Lovelace', 'Mute')
  await tab(bob).toEqual(['(1) #general', '/icon-calls.svg'])
  await chooseChannelAction(bob, name, 'Mute')
  await expect(row(bob, name).getByLabel('Muted')).toBeVisible()
  await tab(bob).toEqual(['(1) #general', '/icon-calls.svg'])

  // The tab shows events from the outage, even after a reload.
  network.cut()
  await write(ada, channelId, `@${username} hello?`)
  network.restore()
  await tab(bob).toEqual(['(2) #general', '/icon-calls.svg'])
  await bob.reload()
  await tab(bob).toEqual(['(2) #general', '/icon-calls.svg'])
  await row(bob, name).click()
  await tab(bob).toEqual([`#${name}`, '/icon.svg'])
})

test('everything can be marked read by a key or in the sidebar, on every device, with Undo', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const name = uniqueName('all')
  const channelId = await createChannel(ada, name)
  await joinChannel(bob, name)
  await openGeneral(bob)
  const other = await bob.context().newPage()
  await other.goto(new URL(bob.url()).pathname)
  await bob.bringToFront()
  const { id, username } = await userOn(bob)
  const direct = await callApi(ada, 'POST', '/api/direct-messages', { userIds: [id] })
  await write(ada, direct.id, 'psst')
  const parentMessageId = await write(ada, channelId, 'one')
  await write(ada, channelId, `two @${username}`)
  await callApi(ada, 'POST', '/api/threads/messages', { parentMessageId, content: `@${username} look` })
  const threads = (page: Page) => page.getByRole('link', { name: /^Threads/ })
  for (const page of [bob, other]) await tab(page).toEqual(['(3) #general', '/icon-calls.svg'])

  await bob.keyboard.press('Shift+Escape')
  const undo = await undoButton(bob, 'Marked 2 conversations and 1 thread as read')
  for (const page of [bob, other]) await tab(page).toEqual(['#general', '/icon.svg'])
  await expect(row(bob, name)).not.toContainText('unread')
  await expect(threads(bob)).not.toContainText('1')
  await undo.click()
  for (const page of [bob, other]) {
    await tab(page).toEqual(['(3) #general', '/icon-calls.svg'])
    await expect(threads(page)).toContainText('1')
    await expect(row(page, name)).toContainText('1 mention')
    await expect(row(page, 'Ada Lovelace')).toContainText('1 unread')
  }

  await bob.route('**/api/channels/read', (route) => route.abort())
  await chooseFromWorkspaceMenu(bob, 'Mark everything as read')
  await expect(toast(bob, 'Couldn’t mark everything as read')).toBeVisible()
  await tab(bob).toEqual(['(3) #general', '/icon-calls.svg'])
  await bob.unroute('**/api/channels/read')
  await chooseFromWorkspaceMenu(bob, 'Mark everything as read')
  for (const page of [bob, other]) await tab(page).toEqual(['#general', '/icon.svg'])
  await bob.reload()
  await tab(bob).toEqual(['#general', '/icon.svg'])
  await bob.keyboard.press('Shift+Escape')
  await expect(toast(bob, "You're all caught up")).toBeVisible()
})

test('unread rows out of view are announced at the edge of the sidebar, and keys move between them', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { viewport: { width: 1024, height: 500 } })
  const { id, username } = await userOn(bob)
  // Names that sort before and after the channels of other tests.
  const [first, last] = ['aa', 'zz'].map(uniqueName) as [string, string]
  const made = async (name: string) =>
    (await callApi(ada, 'POST', '/api/channels', { name, isPrivate: true, members: [id] })).id as string
  const ids = [await made(first)]
  for (let nth = 0; nth < 24; nth++) await made(`mm-${nth}-${last}`)
  ids.push(await made(last))
  await expect(row(bob, last)).toHaveCount(1)
  const [above, below] = ['above', 'below'].map((side) => bob.getByRole('button', { name: `More unread ${side}` })) as [
    Locator,
    Locator,
  ]
  await expect(below).toHaveCount(0)
  await write(ada, ids[1] as string, 'down here')
  await expect(below).toBeVisible()
  await expect(above).toHaveCount(0)
  await below.click()
  await expect(row(bob, last)).toBeInViewport()
  await expect(row(bob, last)).toBeFocused()
  await expect(below).toHaveCount(0)
  await write(ada, ids[0] as string, `up here, @${username}`)
  await expect(above).toBeVisible()
  await expectAccessible(bob)
  await above.click()
  await expect(row(bob, first)).toBeInViewport()

  // Continues from the last unread channel, wrapping around the end of the list.
  await bob.keyboard.press('Alt+Shift+ArrowDown')
  const at = () => ids.indexOf(channelIdOn(bob))
  await expect.poll(at).toBe(1)
  await bob.keyboard.press('Alt+Shift+ArrowDown')
  await expect.poll(at).toBe(0)
  await expect(row(bob, first)).toBeInViewport()
  await row(bob, first).click()
  await bob.getByPlaceholder('Type a message...').focus()
  const rows = bob.getByRole('navigation', { name: 'Conversations' }).getByRole('link')
  const open = () => rows.evaluateAll((all) => all.findIndex((it) => it.getAttribute('aria-current') === 'page'))
  const place = await open()
  await bob.keyboard.press('Alt+ArrowDown')
  await expect.poll(open).toBe(place + 1)
  await bob.keyboard.press('Alt+ArrowUp')
  await expect.poll(open).toBe(place)
})
