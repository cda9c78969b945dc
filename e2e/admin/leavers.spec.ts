import { expectAccessible } from '../support/accessibility.ts'
import { createChannel, expect, test, uniqueName, userOn } from '../support/fixtures.ts'

test('deactivating somebody lets one choose who gets their channels', { tag: '@long' }, async ({
  person,
  owner: olga,
}) => {
  const [mallory, bob] = [await person('Mallory Young'), await person('Bob Kahn')]
  const channel = uniqueName('spam')
  await createChannel(mallory, channel)
  const [{ username }, heir] = [await userOn(mallory), await userOn(bob)]

  await olga.goto('/admin/people')
  await olga.getByPlaceholder('Search people...').fill(username)
  const people = olga.getByRole('list', { name: 'People' }).getByRole('listitem')
  await expect(people).toHaveCount(1)
  const actions = olga.getByRole('button', { name: 'Actions for Mallory Young' })
  const ask = async () => {
    await actions.click()
    await olga.getByRole('menuitem', { name: 'Deactivate' }).click()
  }
  const dialog = olga.getByRole('dialog', { name: 'Deactivate Account' })
  const deactivate = dialog.getByRole('button', { name: 'Deactivate' })
  // The second time, the dialog's code is loaded, and it opens as the menu closes.
  for (const time of ['first', 'second']) {
    await ask()
    await expect(dialog).toBeVisible()
    await olga.keyboard.press('Escape')
    await expect(actions, time).toBeFocused()
  }
  await ask()
  await expect(dialog.getByRole('group', { name: 'They own 1 channel' })).toBeVisible()
  await dialog.getByText('Delete', { exact: true }).click()
  await expect(dialog.getByRole('status')).toContainText('1 channel is deleted with all its messages and files')
  await dialog.getByText('Hand over', { exact: true }).click()
  await expect(deactivate).toBeDisabled()
  await dialog.getByRole('combobox').fill(heir.username)
  // Until the answer arrives, the list still shows everybody.
  await dialog.getByRole('option', { name: heir.username }).click()
  await expectAccessible(olga)
  await olga.context().setOffline(true)
  await deactivate.click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await olga.context().setOffline(false)
  await deactivate.click()
  await expect(people).toContainText('Deactivated')

  // His page shows the channel as soon as he owns it.
  await expect(bob.getByRole('link', { name: channel })).toBeVisible()
  await bob.getByRole('link', { name: channel }).click()
  await expect(bob.getByRole('heading', { name: channel })).toBeVisible()
})
