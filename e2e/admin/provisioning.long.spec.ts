import { expectAccessible } from '../support/accessibility.ts'
import { expect, openAsOwner, test } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'

test.describe.configure({ mode: 'default' })

test('the owner makes a token for a directory, which creates a person with it, and revokes it', async ({ browser }) => {
  const parley = await startServer()
  const olga = await openAsOwner(browser, parley.address)
  await olga.goto('/admin/directory')
  const base = await olga.getByLabel('Address for the directory').inputValue()
  expect(base).toBe(`${parley.address}/api/scim/v2`)
  await olga.getByLabel('Name of the directory').fill('Okta')
  await olga.getByRole('button', { name: 'Create token' }).click()
  const token = await olga.getByLabel('Token', { exact: true }).inputValue()
  await expectAccessible(olga)
  const scim = (method: string, path: string, data?: object) =>
    olga.request.fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      ...(data && { data: JSON.stringify(data) }),
    })
  const made = await scim('POST', '/Users', { userName: 'mei@example.com', displayName: 'Mei Lin' })
  expect(made.status()).toBe(201)
  const members = [{ value: ((await made.json()) as { id: string }).id }]
  expect((await scim('POST', '/Groups', { displayName: 'Tour Guides', members })).status()).toBe(201)
  await olga.goto('/admin/groups')
  const group = olga.getByRole('list', { name: 'Groups' }).getByRole('listitem')
  await expect(group).toContainText('@tour-guides')
  await expect(group).toContainText('1 person')
  await expect(group.getByText('Directory', { exact: true })).toBeVisible()
  await expect(group.getByRole('button')).toHaveCount(0)
  await expectAccessible(olga)
  await olga.goto('/admin/directory')

  // The token is shown only once.
  await olga.reload()
  await expect(olga.getByRole('list', { name: 'Tokens' })).toContainText('Last used')
  await expect(olga.getByLabel('Token', { exact: true })).toHaveCount(0)
  await olga.goto('/admin/audit')
  await expect(olga.getByRole('list', { name: 'Audit log' })).toContainText('The directory Okta changed Mei Lin')
  await expect(olga.getByRole('list', { name: 'Audit log' })).toContainText(
    'The directory Okta changed the group @tour-guides',
  )
  await olga.goto('/admin/directory')
  await olga.getByRole('button', { name: 'Revoke the token Okta' }).click()
  await olga.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(olga.getByRole('list', { name: 'Tokens' })).toHaveCount(0)
  // The dialog hides the list while it closes, so only the response counts.
  await expect.poll(async () => (await scim('GET', '/Users')).status()).toBe(401)
  // Its group is no longer managed by a directory.
  await olga.goto('/admin/groups')
  await expect(group.getByRole('button', { name: 'Edit @tour-guides' })).toBeVisible()
  await olga.context().close()
  await parley.remove()
})
