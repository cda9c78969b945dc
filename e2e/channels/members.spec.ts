import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { failUntilRetried } from '../support/failing.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  invite,
  isOpen,
  message,
  say,
  showChannel,
  signUpMany,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { UNTIL_OFFLINE } from '../support/live.ts'
import { row } from '../support/sidebar.ts'

const members = (page: Page) => page.getByRole('dialog').getByRole('listitem')
const search = (page: Page) => page.getByPlaceholder('Search members...')

/** Creates a private channel with these members and opens it on all pages. */
async function privateChannel(owner: Page, others: Page[]) {
  const name = uniqueName('founders')
  const id = await createChannel(owner, name, { isPrivate: true })
  for (const page of others) {
    await invite(owner, page, id)
    await showChannel(page, id, name)
    if (isOpen(page)) await expect(composer(page)).toBeVisible()
  }
  return name
}

test('a user invited to a private channel sees it at once with its history, and can write', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const mei = await person('Mei Lin', { open: false })
  const { username } = await userOn(bob)
  const name = await privateChannel(ada, [mei])
  await say(ada, 'before you came')
  await ada.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = ada.getByRole('dialog', { name: 'Invite to Channel' })
  const box = dialog.getByPlaceholder('Search users...')
  await expect(box).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Invite' })).toBeDisabled()
  // The dialog offers neither oneself nor current members.
  for (const page of [ada, mei]) {
    await box.fill((await userOn(page)).username)
    await expect(dialog.getByText('No users found')).toBeVisible()
  }
  await box.fill(username.slice(0, -1).toUpperCase())
  await ada.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Remove Bob Kahn' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(ada.getByRole('button', { name: 'Members 3' })).toBeVisible()
  await row(bob, name).click()
  await expect(message(bob, 'before you came')).toBeVisible()
  await say(bob, 'thank you')
  await expect(message(ada, 'thank you')).toBeVisible()
  // A member cannot remove others.
  await bob.getByRole('button', { name: 'Members 3' }).click()
  await expect(members(bob)).toHaveCount(3)
  await expect(bob.getByRole('button', { name: /^Remove / })).toHaveCount(0)
})

test('lists of people and changes of members that fail say so and can be retried', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  await person('Aaa First', { open: false })
  await privateChannel(ada, [])
  const dialog = ada.getByRole('dialog')
  for (const [answer, text] of [
    [{ status: 403, json: { error: { code: 'forbidden' } } }, 'Failed to load users'],
    [{ json: { people: [] } }, 'Invalid response format from server'],
  ] as const) {
    await failUntilRetried(ada, '**/api/users', (route) => route.fulfill(answer))
    await ada.reload()
    await ada.getByRole('button', { name: 'Invite', exact: true }).click()
    await expect(dialog.getByText(text)).toBeVisible()
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(dialog.getByRole('option').first()).toBeVisible()
  }

  // Press Enter immediately, while the list still shows the results of the previous query.
  const { username } = await userOn(bob)
  await dialog.getByPlaceholder('Search users...').fill(username)
  await ada.keyboard.press('Enter')
  await ada.route('**/invite', (route) =>
    route.fulfill({ status: 404, json: { error: { code: 'not_found', message: 'User not found' } } }),
  )
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to invite user: user not found')
  await expect(dialog.getByRole('button', { name: 'Remove Bob Kahn' })).toBeVisible()
  await ada.unroute('**/invite')
  await dialog.getByRole('button', { name: 'Invite' }).click()

  await ada.getByRole('button', { name: 'Members 2' }).click()
  await ada.route('**/remove-member', (route) => route.abort())
  await ada.getByRole('button', { name: 'Remove Bob Kahn' }).click()
  await ada.getByRole('button', { name: 'Remove Member' }).click()
  await expect(dialog.getByText('Failed to remove member')).toBeVisible()
  await expect(members(ada)).toHaveCount(2)
})

test('a channel changes its owner; a removed member’s conversation ends at once, and they receive nothing more', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = await privateChannel(bob, [ada])
  await say(ada, 'you may read this')
  await expect(message(bob, 'you may read this')).toBeVisible()
  await bob.getByRole('button', { name: 'Members 2' }).click()
  await bob.getByRole('button', { name: 'Make Ada Lovelace the owner' }).click()
  await bob.getByRole('button', { name: 'Transfer Ownership' }).click()
  await expect(members(bob).filter({ hasText: 'Ada Lovelace' })).toContainText('Owner')
  await expect(bob.getByRole('button', { name: /^Remove / })).toHaveCount(0)
  await bob.keyboard.press('Escape')
  await row(bob, name).hover()
  await bob.getByRole('button', { name: `Actions for ${name}` }).click()
  await expect(bob.getByRole('menuitem', { name: 'Leave' })).toBeVisible()
  await expect(bob.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
  await bob.keyboard.press('Escape')

  await ada.getByRole('button', { name: 'Members 2' }).click()
  await expect(ada.getByRole('dialog', { name: `Members in #${name}` })).toBeVisible()
  await expect(members(ada).filter({ hasText: 'Ada Lovelace' })).toContainText('Owner')
  await expect(ada.getByRole('button', { name: 'Remove Ada Lovelace' })).toHaveCount(0)
  await ada.getByRole('button', { name: 'Remove Bob Kahn' }).click()
  const confirmation = ada.getByRole('dialog', { name: 'Remove Member' })
  await expect(confirmation).toContainText(`Are you sure you want to remove Bob Kahn from #${name}?`)
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await expect(members(ada)).toHaveCount(2)
  await ada.getByRole('button', { name: 'Remove Bob Kahn' }).click()
  await confirmation.getByRole('button', { name: 'Remove Member' }).click()
  await expect(members(ada)).toHaveCount(1)
  await expect(members(ada).getByRole('button', { name: /^Ada Lovelace/ })).toBeFocused()
  await ada.keyboard.press('Escape')

  await expect(bob.getByRole('heading', { name: `You are no longer in #${name}` })).toBeVisible()
  await expect(bob.getByText('you may read this')).toHaveCount(0)
  await expect(row(bob, name)).toHaveCount(0)
  await say(ada, 'you may not read this')
  await expect(message(ada, 'you may not read this')).toBeVisible()
  // Bob’s page has received the events before this one.
  const later = uniqueName('later')
  await callApi(ada, 'POST', '/api/channels', { name: later })
  await expect(row(bob, later)).toBeVisible()
  await expect(bob.getByText('you may not read this')).toHaveCount(0)
})

test('the member list is accessible, can be searched, follows who comes and goes, and shows presence and status', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const mei = await person('Mei Lin')
  await privateChannel(ada, [bob])
  await expectAccessible(ada, 'header')
  await ada.getByRole('button', { name: 'Members 2' }).click()
  await expect(members(ada)).toHaveCount(2)
  await expectAccessible(ada, 'members')
  await invite(ada, mei)
  await expect(members(ada)).toHaveCount(3)
  await callApi(mei, 'PUT', '/api/users/status', { user_status: '🌊' })
  await expect(members(ada).filter({ hasText: 'Mei Lin' })).toContainText('🌊')
  await mei.context().close()
  await expect(members(ada).filter({ hasText: 'Mei Lin' })).toContainText('offline', UNTIL_OFFLINE)
  await search(ada).fill((await userOn(bob)).username.toUpperCase())
  await expect(members(ada)).toHaveText([/Bob Kahn/])
  await ada.getByRole('button', { name: 'Remove Bob Kahn' }).click()
  await expectAccessible(ada, 'remove')
  await ada.getByRole('button', { name: 'Cancel' }).click()
  await search(ada).fill('nobody like that')
  await expect(ada.getByText('No members found')).toBeVisible()
  await expectAccessible(ada, 'nobody')
  await ada.keyboard.press('Escape')
  await ada.getByRole('button', { name: 'Invite', exact: true }).click()
  await expectAccessible(ada, 'invite')
})

test('a channel of many loads its member list page by page, and asks before @channel notifies them', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('crowded')
  // A page has fifty; @channel asks beyond twenty.
  await callApi(ada, 'POST', '/api/channels', { name, members: await signUpMany(ada, 50) })
  await row(ada, name).click()
  await ada.getByRole('button', { name: 'Members 51' }).click()
  await expect(members(ada).first()).toBeVisible()
  await ada.getByRole('dialog').getByRole('list').hover()
  await ada.mouse.wheel(0, 5000)
  await expect(members(ada)).toHaveCount(51)
  await ada.keyboard.press('Escape')

  await composer(ada).fill('@channel lunch')
  await composer(ada).press('Enter')
  const question = ada.getByRole('dialog', { name: 'Notify Everyone?' })
  await expect(question).toContainText('This notifies 50 people, of whom 50 are away')
  await expectAccessible(ada)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(composer(ada)).toHaveValue('@channel lunch')
  await composer(ada).press('Enter')
  await question.getByRole('button', { name: 'Send anyway' }).click()
  await expect(message(ada, 'lunch')).toBeVisible()
  await say(ada, 'no question')
  await expect(message(ada, 'no question')).toBeVisible()
})
