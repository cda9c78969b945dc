import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  channelIdOn,
  composer,
  createPrivateChannel,
  expect,
  message,
  say,
  sendMessages,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'

const card = (page: Page, name: string) => page.getByRole('dialog', { name: `Profile of ${name}` })

/** Opens a person's card; its code loads once the page is idle. */
async function open(page: Page, name: string, press: () => Promise<void>) {
  await expect(async () => {
    if (!(await card(page, name).isVisible())) await press()
    await expect(card(page, name)).toBeVisible({ timeout: 2000 })
  }).toPass()
}

test('a name opens a card, from which one mentions the person or writes to them', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { username } = await userOn(bob)
  const channel = await createPrivateChannel(ada, bob, uniqueName('people'))
  await sendMessages(bob, ['hello'])
  const name = message(ada, 'hello').getByRole('button', { name: 'Bob Kahn' })
  await composer(ada).fill('ask')
  await open(ada, 'Bob Kahn', () => name.click())
  await expect(card(ada, 'Bob Kahn')).toContainText(`Bob Kahn@${username}Online`)
  await card(ada, 'Bob Kahn').getByRole('button', { name: 'Mention' }).click()
  await expect(composer(ada)).toHaveValue(`ask @${username} `)
  await expect(composer(ada)).toBeFocused()

  await name.click()
  await card(ada, 'Bob Kahn').getByRole('button', { name: 'Message', exact: true }).click()
  await expect(ada.getByRole('heading', { name: 'Bob Kahn' })).toBeVisible()
  expect(channelIdOn(ada)).not.toBe(channel)
  await say(ada, 'just us')
  await expect(bob.getByRole('link', { name: /^Ada Lovelace/ })).toContainText('1 unread')
})

test('a picture and a mention open a card too, and it leaves the focus where it belongs', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { id, username } = await userOn(bob)
  const mine = await userOn(ada)
  await createPrivateChannel(ada, bob, uniqueName('people'))
  await sendMessages(bob, [`hello @${mine.username}`])
  await sendMessages(ada, [`good morning @${username}`])
  const hello = message(ada, 'hello')
  await expect(hello.locator('.at-me')).toBeVisible()

  await composer(ada).fill('one two')
  await composer(ada).press('Home')
  await composer(ada).press('ArrowRight')
  await composer(ada).press('ArrowRight')
  await composer(ada).press('ArrowRight')
  await open(ada, 'Bob Kahn', () => hello.getByRole('button', { name: 'Bob Kahn' }).click())
  await expect(card(ada, 'Bob Kahn')).toContainText(`Bob Kahn@${username}Online`)
  await expect(card(ada, 'Bob Kahn').getByRole('button', { name: 'Message', exact: true })).toBeFocused()
  await callApi(bob, 'PUT', '/api/users/status', { user_status: '🌴' })
  await expect(card(ada, 'Bob Kahn').getByLabel('Status: 🌴')).toBeVisible()
  await expectAccessible(ada, 'card')
  await ada.keyboard.press('Escape')
  await expect(card(ada, 'Bob Kahn')).toHaveCount(0)
  await expect(composer(ada)).toBeFocused()

  // A second click closes it, a click on someone else's name opens theirs.
  await open(ada, 'Bob Kahn', () => hello.locator('[data-person]').first().click())
  await hello.locator('[data-person]').first().click()
  await expect(card(ada, 'Bob Kahn')).toHaveCount(0)
  await open(ada, 'Bob Kahn', () => message(ada, 'good morning').locator('.at').click())
  await ada.keyboard.press('Escape')
  await open(ada, 'Bob Kahn', () => hello.getByRole('button', { name: 'Bob Kahn' }).click())
  await message(ada, 'good morning').locator('[data-person]').first().click()
  await expect(card(ada, 'Bob Kahn')).toHaveCount(0)
  await expect(card(ada, 'Ada Lovelace').getByRole('button')).toHaveText(['Set your status', 'Settings'])
  await card(ada, 'Ada Lovelace').getByRole('button', { name: 'Settings' }).click()
  const settings = ada.getByRole('dialog', { name: 'Settings' })
  await expect(settings.locator(':focus')).toHaveCount(1)
  await ada.keyboard.press('Escape')
  await expect(ada.getByRole('dialog')).toHaveCount(0)

  await open(ada, 'Bob Kahn', () => hello.getByRole('button', { name: 'Bob Kahn' }).click())
  await card(ada, 'Bob Kahn').getByRole('button', { name: 'Mention' }).click()
  await expect(composer(ada)).toHaveValue(`one @${username} two`)
  await expect(composer(ada)).toBeFocused()

  // In a thread, the mention goes into the thread's composer.
  await hello.hover()
  await hello.getByRole('button', { name: 'Reply in thread' }).click()
  const thread = ada.getByRole('complementary', { name: 'Thread' })
  const reply = thread.getByPlaceholder('Reply to thread...')
  await expect(reply).toBeFocused()
  await open(ada, 'Bob Kahn', () => thread.getByRole('button', { name: 'Bob Kahn' }).click())
  await card(ada, 'Bob Kahn').getByRole('button', { name: 'Mention' }).click()
  await expect(reply).toHaveValue(`@${username} `)

  const channel = channelIdOn(ada)
  await ada.route('**/api/direct-messages', (route) => route.abort())
  await open(ada, 'Bob Kahn', () => thread.getByRole('button', { name: 'Bob Kahn' }).click())
  await card(ada, 'Bob Kahn').getByRole('button', { name: 'Message', exact: true }).click()
  await expect(card(ada, 'Bob Kahn').getByRole('alert')).toHaveText(/^Failed to start conversation/)
  await ada.unroute('**/api/direct-messages')
  await card(ada, 'Bob Kahn').getByRole('button', { name: 'Message', exact: true }).click()
  await expect(ada.getByRole('heading', { name: 'Bob Kahn' })).toBeVisible()
  await expect(composer(ada)).toBeFocused()
  expect(channelIdOn(ada)).not.toBe(channel)
  await say(ada, 'just us')
  await expect(bob.getByRole('link', { name: /^Ada Lovelace/ })).toContainText('1 unread')

  // The header of the conversation names the partner, and has the menu beside it.
  await open(ada, 'Bob Kahn', () => ada.getByRole('heading', { name: 'Bob Kahn' }).getByRole('button').click())
  await card(ada, 'Bob Kahn').getByRole('button', { name: 'Message', exact: true }).click()
  await expect(card(ada, 'Bob Kahn')).toHaveCount(0)
  await expect(composer(ada)).toBeFocused()
  await ada.getByRole('button', { name: 'Conversation actions' }).click()
  await expect(ada.getByRole('menuitem', { name: 'Mute' })).toBeVisible()
  await expect(ada.getByRole('menu')).toHaveCount(1)
  expect(id).not.toBe(mine.id)
})

test('by keyboard, the menu of a message leads to its author and to those it mentions', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { username } = await userOn(bob)
  await createPrivateChannel(ada, bob, uniqueName('people'))
  await sendMessages(ada, ['first', `second, @${username} and @${username}`])
  const row = message(ada, 'second')
  await expect(row).toBeVisible()
  await composer(ada).focus()
  await ada.keyboard.press('Shift+Tab')
  await row.focus()
  const choose = async (name: string) => {
    await row.getByRole('button', { name: 'More actions' }).focus()
    await ada.keyboard.press('Enter')
    const item = ada.getByRole('menuitem', { name })
    await expect(item).toHaveCount(1)
    await item.focus()
    await ada.keyboard.press('Enter')
  }
  await choose('View profile')
  await expect(card(ada, 'Ada Lovelace').getByRole('button', { name: 'Set your status' })).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(row).toBeFocused()
  await choose(`View @${username}`)
  await expect(card(ada, 'Bob Kahn').getByRole('button', { name: 'Message', exact: true })).toBeFocused()
  await ada.keyboard.press('Tab')
  await ada.keyboard.press('Enter')
  await expect(composer(ada)).toHaveValue(`@${username} `)
})

test('a card opened by a key at the name of a direct message gives the focus back to it', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const { id } = await callApi(ada, 'POST', '/api/direct-messages', { userIds: [(await userOn(bob)).id] })
  await ada.goto(`/channels/${id}`)
  await composer(ada).click()
  await composer(ada).click()
  const name = ada.getByRole('heading', { level: 1 }).getByRole('button')
  await name.focus()
  await open(ada, 'Bob Kahn', () => ada.keyboard.press('Enter'))
  await ada.keyboard.press('Escape')
  await expect(card(ada, 'Bob Kahn')).toHaveCount(0)
  await expect(name).toBeFocused()
})

test('in Members, Escape closes the card only, and what it does closes the dialog too', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { username } = await userOn(bob)
  const name = uniqueName('people')
  await createPrivateChannel(ada, bob, name)
  await composer(ada).fill('Ask')
  const members = ada.getByRole('dialog', { name: `Members in #${name}` })
  await ada.getByRole('button', { name: 'Members 2' }).click()
  const bobs = members.getByRole('button', { name: /^Bob Kahn/ })
  await expect(bobs).toBeVisible()
  // One stop for Tab, then the arrow keys.
  await members.getByRole('button', { name: /^Ada Lovelace/ }).focus()
  await ada.keyboard.press('ArrowDown')
  await expect(bobs).toBeFocused()
  await ada.keyboard.press('Enter')
  await expect(card(ada, 'Bob Kahn').getByRole('button', { name: 'Message', exact: true })).toBeFocused()
  await expectAccessible(ada, 'card in a dialog')
  await ada.keyboard.press('Escape')
  await expect(card(ada, 'Bob Kahn')).toHaveCount(0)
  await expect(members).toBeVisible()
  await expect(bobs).toBeFocused()
  await bobs.click()
  await card(ada, 'Bob Kahn').getByRole('button', { name: 'Mention' }).click()
  await expect(ada.getByRole('dialog')).toHaveCount(0)
  await expect(composer(ada)).toHaveValue(`Ask @${username} `)
  await expect(composer(ada)).toBeFocused()

  await ada.getByRole('button', { name: 'Members 2' }).click()
  await members.getByRole('button', { name: 'Invite' }).click()
  await expect(ada.getByRole('dialog', { name: 'Invite to Channel' })).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(members).toBeVisible()
  await bobs.click()
  await card(ada, 'Bob Kahn').getByRole('button', { name: 'Message', exact: true }).click()
  await expect(ada.getByRole('heading', { name: 'Bob Kahn' })).toBeVisible()
  await expect(ada.getByRole('dialog')).toHaveCount(0)
  await expect(composer(ada)).toBeFocused()
})

test('on a phone the card is a sheet, which Back closes; the assistant has one, and deactivated people are said to be so', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const bob = await person('Bob Kahn')
  const { id } = await userOn(bob)
  await createPrivateChannel(bob, ada, uniqueName('people'))
  await say(bob, 'good morning')
  const row = message(ada, 'good morning')
  await open(ada, 'Bob Kahn', () => row.getByRole('button', { name: 'Bob Kahn' }).tap())
  const sheet = card(ada, 'Bob Kahn')
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
  await open(ada, 'Bob Kahn', () => row.getByRole('button', { name: 'Bob Kahn' }).tap())
  await expect(sheet).toContainText('Account deactivated')
  await expect(sheet.getByRole('button', { name: /Message|Mention/ })).toHaveCount(0)
})
