import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { composer, expect, test, userOn } from '../support/fixtures.ts'
import { chooseFromWorkspaceMenu } from '../support/sidebar.ts'

/** Opens the list of people, filtered to one person. */
async function findPerson(olga: Page, person: Page) {
  await olga.goto('/admin/people')
  await olga.getByPlaceholder('Search people...').fill((await userOn(person)).username)
  await expect(olga.getByRole('list', { name: 'People' }).getByRole('listitem')).toHaveCount(1)
}
const chooseFor = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const rowOf = (page: Page, name: string) =>
  page.getByRole('list', { name: 'People' }).getByRole('listitem').filter({ hasText: name })

test('the administration is available to the owner, and to admins once they are appointed; for members it does not exist', async ({
  person,
  owner: olga,
}) => {
  const bob = await person('Bob Kahn')
  const notFound = (page: Page) => page.getByRole('heading', { name: 'Page not found' })
  const menuOfBob = bob.getByRole('button', { name: /^Parley/ })
  await bob.goto('/admin/people')
  await expect(notFound(bob)).toBeVisible()
  await expect(bob.getByRole('list', { name: 'People' })).toHaveCount(0)
  await menuOfBob.click()
  await expect(bob.getByRole('menuitem', { name: 'Mark everything as read' })).toBeVisible()
  await expect(bob.getByRole('menuitem', { name: 'Administration' })).toHaveCount(0)
  await bob.keyboard.press('Escape')

  await olga.goto('/')
  await chooseFromWorkspaceMenu(olga, 'Administration')
  await expect(olga.getByRole('heading', { name: 'Administration', level: 1 })).toBeVisible()
  const sections = olga.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('link', { name: 'Health' }).click()
  await expect(olga.getByText('One node is running.')).toBeVisible()
  await olga.goto('/admin/nothing')
  await expect(notFound(olga)).toBeVisible()
  await findPerson(olga, bob)
  await chooseFor(olga, 'Bob Kahn', 'Make admin')
  await expectAccessible(olga)
  await olga.getByRole('dialog', { name: 'Make Admin' }).getByRole('button', { name: 'Make admin' }).click()
  await expect(rowOf(olga, 'Bob Kahn')).toContainText('Admin')

  // His open page shows it immediately; the focus stays on the section.
  await menuOfBob.click()
  await bob.getByRole('menuitem', { name: 'Administration' }).click()
  const people = bob.getByRole('link', { name: 'People and invites' })
  await people.press('Enter')
  await expect(bob).toHaveURL(/\/admin\/people$/)
  await expect(bob.getByRole('list', { name: 'People' })).toContainText('Olga Owner')
  await expect(people).toBeFocused()
  await bob.getByPlaceholder('Search people...').fill('Olga Owner')
  await expect(bob.getByRole('list', { name: 'People' }).getByRole('listitem')).toHaveCount(1)
  // Admins have no menu for the owner.
  await expect(rowOf(bob, 'Olga Owner').getByRole('button')).toHaveCount(0)

  await chooseFor(olga, 'Bob Kahn', 'Remove admin role')
  const question = olga.getByRole('dialog', { name: 'Remove Admin Role' })
  await question.getByRole('button', { name: 'Remove admin role' }).click()
  await expect(rowOf(olga, 'Bob Kahn')).not.toContainText('Admin')
  await expect(notFound(bob)).toBeVisible()
})

test('a forgotten password is set anew with a link that the owner hands over', { tag: '@long' }, async ({
  person,
  owner: olga,
  browser,
  server,
}) => {
  const cyd = await person('Cyd Lee')
  const { username } = await userOn(cyd)
  await findPerson(olga, cyd)
  await chooseFor(olga, 'Cyd Lee', 'Create password link')
  const dialog = olga.getByRole('dialog', { name: 'Password Link' })
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await dialog.getByLabel('Password link').inputValue()

  const phone = await (await browser.newContext({ baseURL: server.address })).newPage()
  await phone.goto(link)
  await expect(phone.getByText(`Choose a new password for @${username}.`)).toBeVisible()
  await expectAccessible(phone)
  await phone.getByLabel('New password').fill('short')
  await phone.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(phone.getByText('at least 8')).toBeVisible()
  await phone.getByLabel('New password').fill('battery staple')
  await phone.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(composer(phone)).toBeVisible()
  // The open page has to sign in again.
  await expect(cyd.getByText('Your session has expired. Sign in again to continue.')).toBeVisible()

  await phone.goto(link)
  await expect(phone.getByRole('heading', { name: 'This link has ended' })).toBeVisible()
  await phone.context().close()
})
