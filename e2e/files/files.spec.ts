import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  createPrivateChannel,
  expect,
  message,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { picture } from '../support/pictures.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Upload Files' })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Files', exact: true })
const tile = (page: Page, name: string) => panel(page).getByRole('listitem').filter({ hasText: name })
const submit = (page: Page) => dialog(page).getByRole('button', { name: /^Upload/ })
const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`bytes of ${name}`) })
const select = (page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  dialog(page).getByLabel('Files', { exact: true }).setInputFiles(files)

test('dropped or chosen files can be removed again, and are uploaded for everybody to find', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await ada.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(submit(ada)).toBeDisabled()
  const transfer = await ada.evaluateHandle(() => {
    const files = new DataTransfer()
    files.items.add(new File(['dropped bytes'], 'dropped.txt', { type: 'text/plain' }))
    return files
  })
  const zone = dialog(ada).getByText('Drag files here')
  await zone.dispatchEvent('dragenter', { dataTransfer: transfer })
  await expect(dialog(ada).getByText('Drop the files here...')).toBeVisible()
  await dialog(ada).getByText('Drop the files here...').dispatchEvent('drop', { dataTransfer: transfer })
  const photo = `${uniqueName('photo')}.png`
  const choosing = ada.waitForEvent('filechooser')
  await dialog(ada).getByRole('button', { name: 'browse' }).click()
  await (await choosing).setFiles([
    { name: photo, mimeType: 'image/png', buffer: await picture(300, 300) },
    text('no.txt'),
  ])
  await expect(dialog(ada).getByRole('listitem')).toHaveCount(3)
  await expect(dialog(ada).getByRole('listitem').filter({ hasText: photo }).locator('img')).toHaveJSProperty(
    'naturalWidth',
    300,
  )
  await dialog(ada).getByRole('button', { name: 'Remove no.txt' }).click()
  await expect(dialog(ada).getByRole('listitem')).toHaveCount(2)
  await submit(ada).click()
  await expect(dialog(ada)).toHaveCount(0)

  await bob.getByRole('button', { name: 'Files', exact: true }).click()
  await expect(tile(bob, photo)).toContainText('Ada Lovelace')
  await expect(tile(bob, 'dropped.txt').first().locator('[data-kind=file]')).toBeVisible()
  await tile(bob, photo).hover()
  const saving = bob.waitForEvent('download')
  await tile(bob, photo)
    .getByRole('button', { name: `Download file ${photo}` })
    .click()
  expect((await saving).suggestedFilename()).toBe(photo)
  await tile(bob, photo)
    .getByRole('button', { name: new RegExp(`^${photo}`) })
    .click()
  await expect(bob.getByRole('dialog', { name: photo }).getByRole('img')).toHaveJSProperty('naturalWidth', 300)
  await bob.keyboard.press('Escape')
  await expect(panel(bob)).toBeVisible()
  await bob.keyboard.press('Escape')
  await expect(panel(bob)).toHaveCount(0)
})

test('the panel says where a file was posted, leads there, and is narrowed by name and kind', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('plans')
  const [photo, notes] = [`${uniqueName('roof')}.png`, `${uniqueName('roof-notes')}.txt`]
  await createChannel(ada, name)
  await ada
    .getByLabel('Files to attach')
    .setInputFiles([{ name: photo, mimeType: 'image/png', buffer: await picture(300, 200) }, text(notes)])
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await composer(ada).fill('the roof as planned')
  await composer(ada).press('Enter')
  await expect(ada.getByRole('button', { name: `Download ${notes}` })).toBeVisible()
  await ada.getByRole('link', { name: /^general/ }).click()
  await expect(ada.getByRole('heading', { name: 'general' })).toBeVisible()

  await ada.getByRole('button', { name: 'Files', exact: true }).click()
  await expect(tile(ada, photo)).toContainText(`#${name}`)
  await expect(tile(ada, photo).locator('time')).toHaveText(/\d/)
  await expect(panel(ada).getByRole('searchbox', { name: 'Filter files...' })).toBeFocused()
  await ada.keyboard.type('ROOF')
  await expect(panel(ada).getByRole('listitem')).toHaveCount(2)
  await panel(ada).getByText('Images', { exact: true }).click()
  await expect(panel(ada).getByRole('listitem')).toHaveCount(1)
  await panel(ada).getByText('Video', { exact: true }).click()
  await expect(panel(ada).getByText('No files found')).toBeVisible()
  await panel(ada).getByText('All', { exact: true }).click()
  await expect(panel(ada).getByRole('listitem')).toHaveCount(2)

  // A long name is drawn in two parts; its own text would show it twice.
  const ownWidth = await tile(ada, notes)
    .getByText(notes, { exact: true })
    .evaluate((it) => {
      const text = document.createRange()
      text.selectNodeContents(it)
      return text.getBoundingClientRect().width
    })
  expect(ownWidth).toBe(0)

  const menu = ada.getByRole('menu')
  const more = (file: string) => tile(ada, file).getByRole('button', { name: `More actions for ${file}` })
  await more(notes).click()
  await expect(menu.getByRole('menuitem')).toHaveText(['Download', 'Go to message', 'Copy link'])
  await expectAccessible(ada)
  await ada.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(more(notes)).toBeFocused()
  await tile(ada, photo).click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Open' }).click()
  await expect(ada.getByRole('dialog', { name: photo }).getByRole('img')).toBeVisible()
  await ada.keyboard.press('Escape')
  await more(photo).click()
  await menu.getByRole('menuitem', { name: 'Go to message' }).click()
  await expect(panel(ada)).toHaveCount(0)
  await expect(ada.getByRole('heading', { name })).toBeVisible()
  await expect(message(ada, 'the roof as planned')).toBeInViewport()
})

test('if one of several uploads fails or is cancelled none stays, also of those stored but not confirmed yet', {
  tag: '@long',
}, async ({ person, network }) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  const bob = await person('Bob Kahn', { open: false })
  const [first, second] = [`${uniqueName('one')}.txt`, `${uniqueName('two')}.txt`]
  const names = async () =>
    ((await callApi(bob, 'GET', '/api/files?limit=50')) as { name: string }[]).map(({ name }) => name)
  const logged: string[] = []
  ada.on('console', (line) => logged.push(line.text()))
  const open = async () => {
    await ada.getByRole('button', { name: 'Upload', exact: true }).click()
    await select(ada, text(first), text(second))
  }
  const { promise: failing, resolve: fail } = Promise.withResolvers<void>()
  await ada.route('**/api/files/upload', async (route) => {
    if (!route.request().postData()?.includes(second)) return route.continue()
    await failing
    await route.fulfill({ status: 507, json: { error: { code: 'storage_full', message: 'There is no room left' } } })
  })

  // The other one fails.
  await open()
  network.hold('POST /api/files/upload')
  await submit(ada).click()
  await expect(submit(ada)).toHaveText('Uploading...')
  await expect(submit(ada)).toBeDisabled()
  await expect.poll(names).toContain(first)
  fail()
  await expect.poll(() => logged.some((line) => line.includes('507'))).toBe(true)
  network.release()
  const problem = dialog(ada).getByRole('alert')
  await expect(problem).toHaveText('Failed to upload files. Please try again. There is no room left.')
  await expect(dialog(ada).getByRole('listitem')).toHaveCount(2)
  await expect.poll(names).not.toContain(first)
  await select(ada, text('third.txt'))
  await expect(problem).toHaveCount(0)
  await dialog(ada).getByRole('button', { name: 'Cancel' }).click()

  // Its user cancels.
  await ada.unroute('**/api/files/upload')
  logged.length = 0
  await open()
  network.hold('POST /api/files/upload')
  await submit(ada).click()
  await expect.poll(names).toEqual(expect.arrayContaining([first, second]))
  await dialog(ada).getByRole('button', { name: 'Cancel' }).click()
  network.release()
  for (const name of [first, second]) await expect.poll(names).not.toContain(name)
  expect(logged).toEqual([])
})

test('the upload dialog refuses what cannot be uploaded before a byte is sent, and names a channel that is deleted meanwhile', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const name = uniqueName('gone')
  const channelId = await createPrivateChannel(ada, bob, name)
  await bob.route('**/api/files/limits', (route) => route.fulfill({ json: { size: 10 } }))
  const sent: string[] = []
  bob.on('request', (request) => {
    if (request.url().includes('/api/files/upload')) sent.push(request.url())
  })
  const limits = bob.waitForResponse('**/api/files/limits')
  await bob.getByRole('button', { name: 'Upload', exact: true }).click()
  await limits
  const choose = (...files: [name: string, bytes: number][]) =>
    select(bob, ...files.map(([name, bytes]) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'a') })))
  const problem = dialog(bob).getByRole('alert')
  // Until the page knows the limit, only the server enforces it.
  await expect(async () => {
    await choose(['large.txt', 11], ['empty.txt', 0])
    await expect(problem).toContainText('Too large: large.txt. Files can be up to 10 B.', { timeout: 1000 })
  }).toPass()
  await expect(problem).toContainText("Too small: empty.txt. Empty files can't be uploaded.")
  await choose(['fits.txt', 10])
  await expect(dialog(bob).getByRole('listitem').filter({ hasText: 'fits.txt' })).toHaveCount(1)
  expect(sent).toEqual([])

  const shareWith = dialog(bob).getByRole('combobox', { name: 'Share with' })
  await expect(shareWith).toHaveText(name)
  await callApi(ada, 'DELETE', `/api/channels/${channelId}`)
  await expect(bob.locator(`nav a[href="/channels/${channelId}"]`)).toHaveCount(0)
  await expect(shareWith).toHaveText(name)
  await submit(bob).click()
  await expect(problem).toContainText('Failed to upload files. Please try again.')
  await expect(dialog(bob).getByRole('listitem').filter({ hasText: 'fits.txt' })).toHaveCount(1)
  await shareWith.click()
  await bob.getByRole('option', { name: 'general', exact: true }).click()
  await expect(shareWith).toHaveText('general')
  await shareWith.click()
  await expect(bob.getByRole('option', { name: 'general', exact: true })).toBeVisible()
  await expect(bob.getByRole('option', { name, exact: true })).toHaveCount(0)
})

test('a file of a private channel is visible to its members only; the panel shows failures and can be refreshed', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const eve = await person('Eve Adams')
  const name = uniqueName('vault')
  const secret = `${uniqueName('secret')}.pdf`
  await createChannel(ada, name, { isPrivate: true })
  await ada.getByRole('button', { name: 'Upload', exact: true }).click()
  await select(ada, { name: secret, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') })
  // The open conversation is preselected.
  const shareWith = dialog(ada).getByRole('combobox', { name: 'Share with' })
  await expect(shareWith).toHaveText(name)
  await shareWith.click()
  await ada.getByRole('option', { name: 'Everyone in the workspace' }).click()
  await expect(shareWith).toHaveText('Everyone in the workspace')
  await shareWith.press('ArrowDown')
  await expect(ada.getByRole('option', { name: 'Everyone in the workspace' })).toHaveAttribute('aria-selected', 'true')
  await ada.keyboard.press('Home')
  await ada.keyboard.press('Enter')
  await expect(shareWith).toHaveText(name)
  await submit(ada).click()
  await expect(dialog(ada)).toHaveCount(0)
  await ada.getByRole('button', { name: 'Files', exact: true }).click()
  await expect(tile(ada, secret).locator('[data-kind=pdf]')).toBeVisible()
  await expectAccessible(ada)

  await eve.route('**/api/files?*', (route) =>
    route.fulfill({ status: 404, json: { error: { code: 'not_found', message: 'Files not found' } } }),
  )
  await eve.getByRole('button', { name: 'Files', exact: true }).click()
  await expect(panel(eve).getByRole('alert')).toHaveText('Failed to load files')
  await eve.unroute('**/api/files?*')
  await panel(eve).getByRole('button', { name: 'Refresh files' }).click()
  await expect(panel(eve).getByRole('alert')).toHaveCount(0)
  await expect(tile(eve, secret)).toHaveCount(0)
  // The URL alone gives no access, not even in an <img>.
  const url = await ada.evaluate(async () => {
    const { token } = await (await fetch('/api/auth/token')).json()
    const headers = { authorization: `Bearer ${token}` }
    return (await (await fetch('/api/files?limit=1', { headers })).json())[0].url
  })
  expect((await ada.request.get(url)).status()).toBe(200)
  expect((await eve.request.get(url)).status()).toBe(404)
})
