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
import { openThread, panel, replyBox } from '../support/threads.ts'

const card = (page: Page, name: string) => page.getByRole('dialog', { name: `Profile of ${name}` })
const write = (page: Page) => card(page, 'Bob Kahn').getByRole('button', { name: 'Message', exact: true })

/** Opens a person's card; its code loads once the page is idle. */
async function open(page: Page, name: string, press: () => Promise<void>) {
  await expect(async () => {
    if (!(await card(page, name).isVisible())) await press()
    await expect(card(page, name)).toBeVisible({ timeout: 2000 })
  }).toPass()
}

test('a name or a mention opens a card, from which one mentions the person or writes to them', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { username } = await userOn(bob)
  const channel = await createPrivateChannel(ada, bob, uniqueName('people'))
  await sendMessages(bob, ['hello'])
  await sendMessages(ada, [`good morning @${username}`])
  const name = message(ada, 'hello').getByRole('button', { name: 'Bob Kahn' })
  await composer(ada).fill('one two')
  await composer(ada).press('Home')
  for (const _ of 'one') await composer(ada).press('ArrowRight')
  await composer(ada).press('ArrowRight')
  await open(ada, 'Bob Kahn', () => name.click())
  await expect(card(ada, 'Bob Kahn')).toContainText(`Bob Kahn@${username}Online`)
  await expect(write(ada)).toBeFocused()
  await callApi(bob, 'PUT', '/api/users/status', { user_status: '🌴' })
  await expect(card(ada, 'Bob Kahn').getByLabel('Status: 🌴')).toBeVisible()
  await expectAccessible(ada, 'card')
  await ada.keyboard.press('Escape')
  await expect(card(ada, 'Bob Kahn')).toHaveCount(0)
  await expect(composer(ada)).toBeFocused()
  await open(ada, 'Bob Kahn', () => message(ada, 'good morning').locator('.at').click())
  await card(ada, 'Bob Kahn').getByRole('button', { name: 'Mention' }).click()
  await expect(composer(ada)).toHaveValue(`one @${username} two`)
  await expect(composer(ada)).toBeFocused()

  // A second click closes it; a click on someone else's picture opens theirs.
  const picture = (text: string) => message(ada, text).locator('[data-person]').first()
  await picture('hello').click()
  await picture('hello').click()
  await expect(card(ada, 'Bob Kahn')).toHaveCount(0)
  await picture('hello').click()
  await picture('good morning').click()
  await expect(card(ada, 'Bob Kahn')).toHaveCount(0)
  await expect(card(ada, 'Ada Lovelace').getByRole('button')).toHaveText(['Set your status', 'Settings'])

  // In a thread, the mention goes into the thread's composer.
  await openThread(ada, 'hello')
  await panel(ada).getByRole('button', { name: 'Bob Kahn' }).click()
  await card(ada, 'Bob Kahn').getByRole('button', { name: 'Mention' }).click()
  await expect(replyBox(ada)).toHaveValue(`@${username} `)

  await ada.route('**/api/direct-messages', (route) => route.abort())
  await panel(ada).getByRole('button', { name: 'Bob Kahn' }).click()
  await write(ada).click()
  await expect(card(ada, 'Bob Kahn').getByRole('alert')).toHaveText(/^Couldn’t start conversation/)
  await ada.unroute('**/api/direct-messages')
  await write(ada).click()
  await expect(ada.getByRole('heading', { name: 'Bob Kahn' })).toBeVisible()
  await expect(composer(ada)).toBeFocused()
  expect(channelIdOn(ada)).not.toBe(channel)
  await say(ada, 'just us')
  await expect(bob.getByRole('link', { name: /^Ada Lovelace/ })).toContainText('1 unread')
})

test('by keyboard, cards open from a message’s menu, from Members and in a direct message, and give the focus back', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { username } = await userOn(bob)
  const channel = uniqueName('people')
  await createPrivateChannel(ada, bob, channel)
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
  await expect(write(ada)).toBeFocused()
  await ada.keyboard.press('Tab')
  await ada.keyboard.press('Enter')
  await expect(composer(ada)).toHaveValue(`@${username} `)

  // In Members, Escape closes only the card, while the card's actions close the dialog as well.
  await composer(ada).fill('Ask')
  const members = ada.getByRole('dialog', { name: `Members in #${channel}` })
  await ada.getByRole('button', { name: 'Members 2' }).click()
  const bobs = members.getByRole('button', { name: /^Bob Kahn/ })
  // A single tab stop, then arrow keys.
  await members.getByRole('button', { name: /^Ada Lovelace/ }).focus()
  await ada.keyboard.press('ArrowDown')
  await expect(bobs).toBeFocused()
  await ada.keyboard.press('Enter')
  await expect(write(ada)).toBeFocused()
  await expectAccessible(ada, 'card in a dialog')
  await ada.keyboard.press('Escape')
  await expect(card(ada, 'Bob Kahn')).toHaveCount(0)
  await expect(members).toBeVisible()
  await expect(bobs).toBeFocused()
  await bobs.click()
  await card(ada, 'Bob Kahn').getByRole('button', { name: 'Mention' }).click()
  await expect(ada.getByRole('dialog')).toHaveCount(0)
  await expect(composer(ada)).toHaveValue(`Ask @${username} `)
  await ada.getByRole('button', { name: 'Members 2' }).click()
  await bobs.click()
  await write(ada).click()
  const name = ada.getByRole('heading', { name: 'Bob Kahn' }).getByRole('button')
  await expect(name).toBeVisible()
  await expect(ada.getByRole('dialog')).toHaveCount(0)
  await expect(composer(ada)).toBeFocused()

  await name.focus()
  await ada.keyboard.press('Enter')
  await expect(write(ada)).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(name).toBeFocused()
  // The face is part of the button, which is large enough for a finger.
  await name.getByText('B', { exact: true }).click()
  await expect(write(ada)).toBeVisible()
})
