import { expectAccessible } from '../support/accessibility.ts'
import { expect, openAsOwner, test } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'

test('the owner asks somebody to take over, who accepts on a page that was open all the time', async ({
  browser,
  person,
}) => {
  const parley = await startServer()
  const olga = await openAsOwner(browser, parley.address)
  const bob = await person('Bob Heir', { address: parley.address })
  await olga.goto('/admin/people')
  const list = olga.getByRole('list', { name: 'People' })
  const ask = async () => {
    await olga.getByPlaceholder('Search people...').fill('heir')
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await olga.getByRole('button', { name: 'Actions for Bob Heir' }).click()
    await olga.getByRole('menuitem', { name: 'Hand over the workspace' }).click()
    const dialog = olga.getByRole('dialog', { name: 'Hand Over the Workspace' })
    await dialog.getByLabel('Your password').fill('correct horse')
    await expectAccessible(olga)
    await dialog.getByRole('button', { name: 'Ask them' }).click()
    await expect(dialog).toHaveCount(0)
  }
  const offer = bob.getByText('Olga Owner asks you to take over this workspace')
  await ask()
  await expect(olga.getByText('You asked Bob Heir to take over')).toBeVisible()
  await expect(offer).toBeVisible()
  await expectAccessible(bob)
  await olga.getByRole('button', { name: 'Withdraw' }).click()
  await expect(offer).toHaveCount(0)
  await expect(olga.getByText('You asked Bob Heir to take over')).toHaveCount(0)

  await ask()
  await bob.getByRole('button', { name: 'Decline' }).click()
  await expect(olga.getByText('You asked Bob Heir to take over')).toHaveCount(0)
  await expect(offer).toHaveCount(0)

  await ask()
  await bob.getByRole('button', { name: 'Accept' }).click()
  await bob.getByRole('dialog', { name: 'Take over this workspace?' }).getByRole('button', { name: 'Accept' }).click()
  await expect(offer).toHaveCount(0)
  await bob.goto('/admin/people')
  const rows = bob.getByRole('list', { name: 'People' }).getByRole('listitem')
  await expect(rows.filter({ hasText: 'Bob Heir' })).toContainText('Owner')
  await expect(rows.filter({ hasText: 'Olga Owner' })).toContainText('Admin')
  await olga.context().close()
  await parley.remove()
})
