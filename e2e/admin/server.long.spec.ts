import { expectAccessible } from '../support/accessibility.ts'
import { expect, openAsOwner, test } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'

test('the owner sees how the server is doing, who uses its storage, its settings; on a phone, sections follow their list', async ({
  browser,
}) => {
  const parley = await startServer()
  const olga = await openAsOwner(browser, parley.address)
  await olga.goto('/admin/health')
  const section = (name: string) => olga.getByRole('region', { name, exact: true })
  await expect(section('Health').getByText('One node is running.')).toBeVisible()
  await expect(section('Health').getByText('No backup has been made yet.')).toBeVisible()
  await expect(section('Health').getByText("No mail is sent: SMTP_URL isn't set.")).toBeVisible()
  await expectAccessible(olga)
  await olga.getByRole('link', { name: 'Storage' }).click()
  await expect(section('Storage').getByText('Nothing was uploaded yet.')).toBeVisible()
  await expectAccessible(olga)
  await olga.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Settings' }).click()
  await expect(section('Settings').getByText('SIGNUP')).toBeVisible()
  await expectAccessible(olga)

  await olga.setViewportSize({ width: 390, height: 844 })
  await olga.goto('/admin')
  await olga.getByRole('link', { name: 'People and invites' }).click()
  await expect(olga.getByRole('list', { name: 'People' })).toContainText('Olga Owner')
  await expectAccessible(olga)
  await olga.getByRole('link', { name: 'Administration' }).click()
  await expect(olga).toHaveURL(`${parley.address}/admin/`)
  await olga.context().close()
  await parley.remove()
})
