import type { Browser, Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { callApi, composer, expect, message, say, test } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'
import { chooseFromWorkspaceMenu } from '../support/sidebar.ts'

let parley: Awaited<ReturnType<typeof startServer>>

test.beforeAll(async () => {
  parley = await startServer({ SIGNUP: 'invite' })
})
test.afterAll(() => parley.remove())

const visit = async (browser: Browser, path: string) => {
  const page = await (await browser.newContext({ baseURL: parley.address })).newPage()
  await page.goto(path)
  return page
}

async function signUp(page: Page, name: string, username: string) {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(`${username}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(composer(page)).toBeVisible()
}

test('the owner invites, deactivates and reactivates somebody', async ({ browser }) => {
  const ada = await visit(browser, '/sign-up')
  await signUp(ada, 'Ada Lovelace', 'ada')
  await chooseFromWorkspaceMenu(ada, 'Invite people')
  const people = ada.getByRole('dialog', { name: 'Workspace' })
  await expect(people.getByLabel('Number of people')).toBeFocused()
  await people.getByLabel('Number of people').fill('1')
  await people.getByRole('button', { name: 'Create invite link' }).click()
  await expect(people.getByRole('button', { name: 'Copy', exact: true })).toBeFocused()
  const link = await people.getByLabel('Invite link', { exact: true }).inputValue()
  await expect(people.getByRole('list', { name: 'Invite links' })).toContainText(
    /0 of 1 joined · expires \w+ \d+(, \d+)? · created by Ada Lovelace/,
  )

  const stranger = await visit(browser, '/sign-up')
  await expect(stranger.getByRole('heading', { name: 'You need an invite' })).toBeVisible()
  const bob = await visit(browser, new URL(link).pathname)
  await expect(bob.getByText('Ada Lovelace invites you')).toBeVisible()
  await signUp(bob, 'Bob Kahn', 'bob')
  await say(bob, 'hello from Bob')
  await stranger.goto(link)
  await expect(stranger.getByRole('heading', { name: 'This invite link is no longer valid' })).toBeVisible()

  await ada.keyboard.press('Escape')
  await chooseFromWorkspaceMenu(ada, 'Members and roles')
  await expect(people.getByPlaceholder('Search people...')).toBeFocused()
  await expect(people.getByPlaceholder('Search people...')).toBeInViewport()
  await expectAccessible(ada)
  const actions = people.getByRole('button', { name: 'Actions for Bob Kahn' })
  await actions.focus()
  await ada.keyboard.press('Enter')
  await expect(ada.getByRole('menuitem', { name: 'Deactivate' })).toBeVisible()
  await expectAccessible(ada, 'menu')
  await ada.keyboard.press('Escape')
  await expect(actions).toBeFocused()
  await expect(people).toBeVisible()
  await actions.click()
  await ada.getByRole('menuitem', { name: 'Deactivate' }).click()
  await ada.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await expect(bob).toHaveURL(/\/sign-in$/)
  await expect(people.getByRole('listitem').filter({ hasText: 'Bob Kahn' })).toContainText('Deactivated')
  const signIn = async () => {
    await bob.getByLabel('Email or username').fill('bob')
    await bob.getByLabel('Password', { exact: true }).fill('correct horse')
    await bob.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await signIn()
  await expect(bob.getByRole('alert')).toHaveText('This account has been deactivated')

  await actions.click()
  await ada.getByRole('menuitem', { name: 'Reactivate' }).click()
  await ada.getByRole('button', { name: 'Reactivate', exact: true }).click()
  await expect(people.getByRole('listitem').filter({ hasText: 'Bob Kahn' })).not.toContainText('Deactivated')
  await signIn()
  await expect(message(bob, 'hello from Bob')).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(message(ada, 'hello from Bob')).toBeVisible()
  await bob.getByRole('button', { name: /^Parley/ }).click()
  await expect(bob.getByRole('menuitem')).toHaveText([/^Mark everything as read/])

  // Who revokes by keyboard goes on with the next one, and at last with what precedes the list.
  for (const maxUses of [1, 2]) await callApi(ada, 'POST', '/api/invites', { days: 1, maxUses })
  await chooseFromWorkspaceMenu(ada, 'Invite people')
  const revoke = people.getByRole('button', { name: 'Revoke invite' })
  await expect(revoke).toHaveCount(2)
  await revoke.first().press('Enter')
  await expect(revoke).toHaveCount(1)
  await expect(revoke).toBeFocused()
  await revoke.press('Enter')
  await expect(revoke).toHaveCount(0)
  await expect(people.getByRole('button', { name: 'Create invite link' })).toBeFocused()
  for (const page of [ada, bob, stranger]) await page.context().close()
})
