import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createPrivateChannel,
  expect,
  message,
  openTab,
  say,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { openSettings } from '../support/settings.ts'

const dialogOn = (page: Page) => page.getByRole('dialog', { name: 'Delete Your Account?' })
const confirm = (page: Page) => dialogOn(page).getByRole('button', { name: 'Delete account' })

/** Opens the confirmation from the settings. */
async function ask(page: Page) {
  const settings = await openSettings(page, 'Account')
  await settings.getByRole('button', { name: 'Delete account' }).click()
  await expect(dialogOn(page).getByLabel(/Type your username/)).toBeFocused()
}

async function fill(page: Page, username: string, password = 'correct horse') {
  await dialogOn(page)
    .getByLabel(/Type your username/)
    .fill(username)
  await dialogOn(page).getByLabel('Your password').fill(password)
}

test('an account is deleted: its person is signed out, and others see who is gone and what stays', {
  tag: '@long',
}, async ({ person }) => {
  const dan = await person('Dan Departing')
  const bob = await person('Bob Staying')
  const { id, username } = await userOn(dan)
  await createPrivateChannel(bob, dan, uniqueName('farewell'))
  await say(dan, 'what I leave behind')
  await expect(message(bob, 'what I leave behind')).toContainText('Dan Departing')
  const { id: pair } = await callApi(bob, 'POST', '/api/direct-messages', { userIds: [id] })
  const otherTab = await openTab(dan)

  await ask(dan)
  await expect(confirm(dan)).toBeDisabled()
  await fill(dan, 'somebody.else')
  await dan.keyboard.press('Enter')
  await expect(dialogOn(dan).getByRole('alert')).toHaveText('This is not your username')
  await fill(dan, username, 'not the right one')
  await dan.keyboard.press('Enter')
  await expect(dialogOn(dan).getByRole('alert')).toHaveText('This is not your current password')
  await expectAccessible(dan, 'the question with a problem')
  await fill(dan, username)
  await confirm(dan).click()

  await expect(dan.getByRole('status')).toHaveText('Your account has been deleted.')
  await expect(otherTab.getByLabel('Email or username')).toBeVisible()
  await dan.getByLabel('Email or username').fill(username)
  await dan.getByLabel('Password', { exact: true }).fill('correct horse')
  await dan.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(dan.getByRole('alert')).toBeVisible()

  const left = message(bob, 'what I leave behind')
  await expect(left).toContainText('Deleted account')
  await expect(bob.getByText('Dan Departing')).toHaveCount(0)
  await left.getByRole('button', { name: 'Deleted account' }).click()
  const card = bob.getByRole('dialog', { name: 'Profile of Deleted account' })
  await expect(card).toContainText('This person deleted their account')
  await expect(card.getByRole('button')).toHaveCount(0)
  await bob.keyboard.press('Escape')
  await bob.goto(`/channels/${pair}`)
  await expect(bob.getByRole('heading', { name: 'Deleted account' })).toBeVisible()
  await expect(bob.getByText('nobody is left to write to')).toBeVisible()
  await expect(composer(bob)).toHaveCount(0)
})

test('if a deletion did not reach the server, it can be tried again; if its answer is lost, the page finds out', {
  tag: '@long',
}, async ({ person }) => {
  const dan = await person('Dan Retrying')
  const { username } = await userOn(dan)
  await ask(dan)
  await fill(dan, username)
  await dan.route('**/api/users/me/deletion', (route) => route.abort('connectionreset'))
  await confirm(dan).click()
  await expect(dialogOn(dan).getByRole('alert')).toContainText('may or may not have been deleted')
  await dan.unroute('**/api/users/me/deletion')
  await dan.route('**/api/users/me/deletion', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await confirm(dan).click()
  await expect(dan.getByLabel('Email or username')).toBeVisible()
})
