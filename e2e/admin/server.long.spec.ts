import { expectAccessible } from '../support/accessibility.ts'
import { callApi, expect, openAsOwner, test } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'
import { openSettings } from '../support/settings.ts'

test('the owner goes through the administration: health, storage, settings, profile fields and the log, on a phone too', async ({
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

  await test.step('the owner says which fields a profile has', async () => {
    await olga.goto('/admin/profiles')
    await expect(olga.getByLabel('Name of field 1')).toHaveValue('Title')
    await olga.getByRole('button', { name: 'Remove Phone' }).click()
    await olga.getByRole('button', { name: 'Add field' }).click()
    await olga.getByLabel('Name of field 3').fill('Team')
    await olga.getByRole('button', { name: 'Move Team up' }).click()
    await expectAccessible(olga, 'profile fields')
    await olga.getByRole('button', { name: 'Save' }).click()
    await expect(olga.getByText('Saved')).toBeVisible()
    await olga.reload()
    await expect(olga.getByLabel('Name of field 2')).toHaveValue('Team')
    await olga.goto('/')
    const dialog = await openSettings(olga)
    await dialog.getByLabel('Team').fill('Compilers')
    await dialog.getByRole('button', { name: 'Save card' }).click()
    await expect(dialog.getByText('Saved')).toBeVisible()
    await expect(dialog.getByLabel('Phone')).toHaveCount(0)
  })
  await test.step('older lines of the log that cannot be loaded are reported, and come with the next attempt', async () => {
    for (let n = 0; n < 60; n++) await callApi(olga, 'POST', '/api/channels', { name: `berth-${n}` })
    const older = /\/api\/audit\?.*cursor=/
    await olga.route(older, (route) => route.fulfill({ status: 503, json: { error: { code: 'X', message: 'x' } } }))
    await olga.goto('/admin/audit')
    const log = olga.getByRole('list', { name: 'Audit log' })
    await log.getByRole('listitem').last().scrollIntoViewIfNeeded()
    const failure = olga.getByRole('alert').filter({ hasText: 'Couldn’t load the audit log' })
    await expect(failure).toBeVisible()
    await olga.unroute(older)
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(log).toContainText('created #berth-0')
    await expect(failure).toHaveCount(0)
  })

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
