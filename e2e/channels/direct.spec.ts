import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  channelIdOn,
  composer,
  createChannel,
  expect,
  message,
  openGeneral,
  say,
  signUpMany,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { UNTIL_OFFLINE } from '../support/live.ts'
import { chooseChannelAction, row } from '../support/sidebar.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'New Direct Message' })
const box = (page: Page) => page.getByPlaceholder('Search users...')

async function choose(page: Page, ...people: Page[]) {
  await page.getByRole('button', { name: 'New direct message' }).click()
  for (const person of people) {
    const { username } = await userOn(person)
    await dialog(page).getByRole('combobox').fill(username)
    await dialog(page)
      .getByRole('option', { name: new RegExp(`@${username}`) })
      .click()
  }
}

async function write(page: Page, ...people: Page[]) {
  await choose(page, ...people)
  await start(page).click()
  await expect(dialog(page)).toHaveCount(0)
  // Until then, the page may still show the previous conversation.
  for (const person of people)
    await expect(page.getByRole('heading', { name: (await userOn(person)).name, level: 1 })).toBeVisible()
  await expect(composer(page)).toBeVisible()
}

/** 'Message Bob', or 'Start group'. */
const start = (page: Page) => dialog(page).getByRole('button', { name: /^(Message|Start) / })

const rows = (page: Page) =>
  page.getByRole('region', { name: 'DIRECT MESSAGES' }).getByRole('link').locator('.truncate[title]').allInnerTexts()

test('a direct message is started by username and appears on both sides at once; the latest comes first', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const mei = await person('Mei Lin', { open: false })
  await choose(ada, bob)
  await expect(dialog(ada).getByRole('button', { name: 'Remove Bob Kahn' })).toBeVisible()
  await dialog(ada).getByRole('button', { name: 'Message Bob' }).click()
  await expect(ada.getByRole('heading', { name: 'Bob Kahn' })).toContainText('@Bob Kahn')
  await expect(ada).toHaveTitle('@Bob Kahn · Parley')
  await expect(ada.getByRole('button', { name: /^Members/ })).toHaveCount(0)
  await expect(ada.getByRole('button', { name: 'Invite' })).toHaveCount(0)
  await expect(row(bob, 'Ada Lovelace')).toBeVisible()
  await say(ada, 'just between us')
  await expect(row(bob, 'Ada Lovelace')).toContainText('1 unread')
  await say(ada, 'and another thing')
  await expect(row(bob, 'Ada Lovelace')).toContainText('2 unread')
  await row(bob, 'Ada Lovelace').click()
  await expect(message(bob, 'just between us')).toBeVisible()
  await expect(row(bob, 'Ada Lovelace')).not.toContainText('unread')
  await say(bob, 'got it')
  await expect(message(ada, 'got it')).toBeVisible()

  await composer(ada).fill('what I meant to say')
  await write(ada, mei)
  await expect.poll(() => rows(ada)).toEqual(['Mei Lin', 'Bob Kahn'])
  await expect(row(ada, 'Bob Kahn').getByLabel('Draft')).toBeVisible()
  await say(bob, 'anything new?')
  await expect.poll(() => rows(ada)).toEqual(['Bob Kahn', 'Mei Lin'])
  await expect(row(ada, 'Bob Kahn')).toContainText('1 unread')
  await ada.goto('/')
  await expect(ada.getByRole('heading', { name: 'Mei Lin' })).toBeVisible()
  await expect.poll(() => rows(ada)).toEqual(['Bob Kahn', 'Mei Lin'])
  await chooseChannelAction(ada, 'Bob Kahn', 'Mute')
  await expect(row(ada, 'Bob Kahn').getByLabel('Muted')).toBeVisible()
  await expect(row(ada, 'Bob Kahn')).not.toContainText('unread')
})

test('the header of a conversation searches in it, opens its menu, and shows who is there', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { username } = await userOn(bob)
  const name = uniqueName('header')
  await createChannel(ada, name)
  await ada.getByRole('button', { name: 'Search this conversation' }).click()
  await expect(
    ada.getByRole('dialog', { name: 'Search' }).getByRole('button', { name: new RegExp(`In:? #?${name}`) }),
  ).toBeVisible()
  await ada.keyboard.press('Escape')

  await write(ada, bob)
  await expect(ada.getByText('This is the start of your conversation with Bob Kahn.')).toBeVisible()
  await ada.getByRole('button', { name: 'Conversation actions' }).click()
  await expect(ada.getByRole('menuitem', { name: 'Mute' })).toBeVisible()
  await ada.keyboard.press('Escape')
  const header = ada.getByRole('main').locator('header').first()
  await expect(header).toContainText('online')
  await callApi(bob, 'PUT', '/api/users/status', { user_status: '🌴' })
  await expect(header).toContainText('🌴')
  await expect(row(ada, 'Bob Kahn')).toContainText('🌴')
  await bob.goto('about:blank')
  await expect(header).toContainText('offline', UNTIL_OFFLINE)
  await expect(row(ada, 'Bob Kahn')).toContainText('offline')
  await bob.goto('/')
  await expect(header).toContainText('online')
  await expect(row(ada, 'Bob Kahn')).not.toContainText('offline')
  await callApi(bob, 'PATCH', '/api/users/me', { name: 'Robert Kahn' })
  await expect(ada.getByRole('heading', { name: 'Robert Kahn' })).toBeVisible()
  await expect(ada).toHaveTitle('@Robert Kahn · Parley')
  await expect(row(ada, 'Robert Kahn').getByTitle(`@${username}`)).toBeVisible()
})

test('people I already talk with come last, and lead to their conversation or into a group', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const mei = await person('Mei Lin')
  const bobs = (await userOn(bob)).username
  await write(ada, bob)
  const first = channelIdOn(ada)
  await openGeneral(ada)
  await ada.getByRole('button', { name: 'New direct message' }).click()
  await expect(dialog(ada)).toContainText('Choose one person, or several for a group.')
  const known = dialog(ada).getByRole('group', { name: 'You already talk with' })
  // Among everybody in the workspace, the last ones are below the visible part of the list.
  await box(ada).fill((await userOn(mei)).username)
  await expect(dialog(ada).getByRole('option')).toHaveCount(1)
  await expect(known).toHaveCount(0)
  // Oneself is not offered.
  await box(ada).fill((await userOn(ada)).username)
  await expect(dialog(ada).getByText('No users found')).toBeVisible()
  await box(ada).fill(bobs)
  await expect(dialog(ada).getByRole('option')).toHaveCount(1)
  await expect(known.getByRole('option')).toHaveCount(1)
  await expectAccessible(ada, 'whom I talk with')
  await ada.keyboard.press('Enter')
  await expect(dialog(ada).getByRole('button', { name: 'Remove Bob Kahn' })).toBeVisible()
  await ada.keyboard.press('Enter')
  await expect(ada.getByRole('heading', { name: 'Bob Kahn' })).toContainText('@Bob Kahn')
  expect(channelIdOn(ada)).toBe(first)
  await expect(composer(ada)).toBeFocused()

  // They can also be added to a group.
  await choose(ada, bob, mei)
  await dialog(ada).getByRole('button', { name: 'Start group' }).click()
  await expect(ada.getByRole('heading', { name: 'Bob Kahn, Mei Lin' })).toBeVisible()
  await expect(row(bob, 'Ada, Mei').getByTitle('3 members')).toBeVisible()
  await say(ada, 'hello you two')
  await row(bob, 'Ada, Mei').click()
  await row(mei, 'Ada, Bob').click()
  for (const page of [bob, mei]) await expect(message(page, 'hello you two')).toBeVisible()
  // Writing to the same people again opens the existing conversation.
  const group = channelIdOn(ada)
  await write(ada, mei, bob)
  expect(channelIdOn(ada)).toBe(group)
})

test('at most seven others can be chosen; a refusal is shown and keeps the selection', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await signUpMany(ada, 8)
  await ada.reload()
  await ada.getByRole('button', { name: 'New direct message' }).click()
  const options = dialog(ada).getByRole('option', { name: /^Crowd/ })
  const field = dialog(ada).getByRole('combobox')
  // Without a query, the list shows only the first people of the workspace.
  await field.fill('crowd')
  await expect(options.nth(7)).toBeVisible()
  for (const index of [0, 1, 2, 3, 4, 5, 6]) {
    await field.fill('crowd')
    await options.nth(index).click()
  }
  await field.fill('crowd')
  await expect(options.nth(7)).toHaveAttribute('aria-disabled', 'true')
  await expect(dialog(ada).getByText('A conversation can have up to eight people')).toBeAttached()
  await field.fill('')
  await ada.keyboard.press('Backspace')
  await expect(dialog(ada).getByRole('button', { name: /^Remove / })).toHaveCount(6)
  await expectAccessible(ada, 'chosen')
  await field.fill('nobody like that')
  await expect(dialog(ada).getByText('No users found')).toBeVisible()
  await expectAccessible(ada, 'nobody')
  await field.fill('')
  await ada.route('**/api/direct-messages', (route) => route.abort())
  await start(ada).click()
  await expect(dialog(ada).getByRole('alert')).toHaveText('Couldn’t start conversation')
  await expect(dialog(ada).getByRole('button', { name: /^Remove / })).toHaveCount(6)
})
