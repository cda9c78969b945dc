import type { Browser, Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  openAsOwner,
  say,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'
import { chooseFromWorkspaceMenu } from '../support/sidebar.ts'

const visit = async (browser: Browser, address: string, path: string) => {
  const page = await (await browser.newContext({ baseURL: address })).newPage()
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

const workspace = (page: Page) => page.getByRole('dialog', { name: 'Workspace' })

test('the owner invites, deactivates and reactivates somebody', { tag: '@long' }, async ({
  browser,
  server,
  owner: olga,
}) => {
  const people = workspace(olga)
  const username = uniqueName('ina')
  await olga.goto('/')
  await chooseFromWorkspaceMenu(olga, 'Invite people')
  await people.getByLabel('Number of people').fill('1')
  await people.getByRole('button', { name: 'Create invite link' }).click()
  const link = await people.getByLabel('Invite link', { exact: true }).inputValue()
  await expect(people.getByRole('list', { name: 'Invite links' })).toContainText(
    /0 of 1 joined · expires \w+ \d+(, \d+)? · created by Olga Owner/,
  )

  const ina = await visit(browser, server.address, new URL(link).pathname)
  await expect(ina.getByText('Olga Owner invites you')).toBeVisible()
  await signUp(ina, 'Ina Invited', username)
  await createChannel(ina, uniqueName('arrivals'))
  await say(ina, 'hello from Ina')

  await olga.keyboard.press('Escape')
  await chooseFromWorkspaceMenu(olga, 'Members and roles')
  await people.getByPlaceholder('Search people...').fill(username)
  const row = people.getByRole('list', { name: 'People' }).getByRole('listitem')
  await expect(row).toHaveCount(1)
  await expectAccessible(olga)
  const actions = people.getByRole('button', { name: 'Actions for Ina Invited' })
  await actions.click()
  await olga.getByRole('menuitem', { name: 'Deactivate' }).click()
  await olga.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await expect(ina).toHaveURL(/\/sign-in$/)
  await expect(row).toContainText('Deactivated')
  const signIn = async () => {
    await ina.getByLabel('Email or username').fill(username)
    await ina.getByLabel('Password', { exact: true }).fill('correct horse')
    await ina.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await signIn()
  await expect(ina.getByRole('alert')).toHaveText('This account has been deactivated')

  await actions.click()
  await olga.getByRole('menuitem', { name: 'Reactivate' }).click()
  await olga.getByRole('button', { name: 'Reactivate', exact: true }).click()
  await expect(row).not.toContainText('Deactivated')
  await signIn()
  await expect(message(ina, 'hello from Ina')).toBeVisible()
  await ina.context().close()
})

test('where an invite is needed, only the first person signs up without one, and nobody with a revoked one; revoking by keyboard goes on with the next', {
  tag: '@long',
}, async ({ browser }) => {
  const parley = await startServer({ SIGNUP: 'invite' })
  try {
    const ada = await openAsOwner(browser, parley.address)
    const stranger = await visit(browser, parley.address, '/sign-up')
    await expect(stranger.getByRole('heading', { name: 'You need an invite' })).toBeVisible()

    const invite = (maxUses: number) => callApi(ada, 'POST', '/api/invites', { days: 1, maxUses })
    const { code } = await invite(1)
    await invite(2)
    await chooseFromWorkspaceMenu(ada, 'Invite people')
    await expect(workspace(ada).getByLabel('Number of people')).toBeFocused()
    const revoke = workspace(ada).getByRole('button', { name: 'Revoke invite' })
    await expect(revoke).toHaveCount(2)
    await revoke.first().press('Enter')
    await expect(revoke).toHaveCount(1)
    await expect(revoke).toBeFocused()
    await revoke.press('Enter')
    await expect(revoke).toHaveCount(0)
    await expect(workspace(ada).getByRole('button', { name: 'Create invite link' })).toBeFocused()
    await stranger.goto(`/invite/${code}`)
    await expect(stranger.getByRole('heading', { name: 'This invite link is no longer valid' })).toBeVisible()
    for (const page of [ada, stranger]) await page.context().close()
  } finally {
    await parley.remove()
  }
})
