import type { Page } from '@playwright/test'
import {
  callApi,
  composer,
  createChannel,
  createPrivateChannel,
  expect,
  message,
  openGeneral,
  openTab,
  removeMember,
  say,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { untilLateParts } from '../support/late-parts.ts'
import { keepNothing } from '../support/settings.ts'
import { joinChannel, row, undoButton } from '../support/sidebar.ts'

const drafts = (page: Page) => page.getByRole('main').getByRole('listitem')
const link = (page: Page) => page.getByRole('link', { name: /^Drafts/ })
const tray = (page: Page) => page.getByRole('list', { name: 'Attached files' })
const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('bytes') })

test('drafts of channels that ended are listed, and can be copied and discarded with Undo', async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  await expect(link(bob)).toHaveCount(0)
  const names = [uniqueName('deleted'), uniqueName('removed'), uniqueName('living')]
  const ids: string[] = []
  for (const [nth, name] of names.entries()) {
    ids.push(await createPrivateChannel(ada, bob, name))
    await composer(bob).fill(`begun in ${nth}`)
  }
  await openGeneral(bob)
  await callApi(ada, 'DELETE', `/api/channels/${ids[0]}`)
  await removeMember(ada, bob, ids[1])
  await expect(row(bob, names[1] as string)).toHaveCount(0)

  await expect(link(bob)).toContainText('3')
  await link(bob).click()
  const lost = bob.getByRole('region', { name: 'From deleted conversations' }).getByRole('listitem')
  await expect(lost).toHaveCount(2)
  await expect(lost.filter({ hasText: 'begun in 0' })).toContainText(`#${names[0]}`)
  await expect(lost.filter({ hasText: 'begun in 1' })).toContainText(`#${names[1]}`)
  await bob.reload()
  await expect(lost).toHaveCount(2)
  await bob.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await lost.filter({ hasText: 'begun in 1' }).getByRole('button', { name: 'Copy text' }).click()
  await expect.poll(() => bob.evaluate(() => navigator.clipboard.readText())).toBe('begun in 1')
  await lost.filter({ hasText: 'begun in 1' }).getByRole('button', { name: 'Discard' }).click()
  const undo = await undoButton(bob, 'Draft discarded')
  await expect(lost).toHaveCount(1)
  await undo.click()
  await expect(lost).toHaveCount(2)

  await drafts(bob)
    .filter({ hasText: 'begun in 2' })
    .getByRole('link', { name: `#${names[2]}` })
    .click()
  await expect(composer(bob)).toHaveValue('begun in 2')
})

test('text typed in one tab is neither overwritten nor removed by another', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('two.tabs'))
  const other = await openTab(ada)
  await composer(ada).fill('yes')
  await expect(composer(other)).toHaveValue('yes')
  await composer(other).fill('a much longer text, typed in the second tab')
  await say(other, 'sent from the second tab')
  await composer(other).fill('a much longer text, typed in the second tab')
  await expect(composer(ada)).toHaveValue('yes')
  // Each tab restores its own draft.
  await ada.reload()
  await expect(composer(ada)).toHaveValue('yes')
  await composer(ada).press('Enter')
  await expect(message(other, 'yes')).toBeVisible()
  await expect(composer(other)).toHaveValue('a much longer text, typed in the second tab')
  await other.reload()
  await expect(composer(other)).toHaveValue('a much longer text, typed in the second tab')
})

test('text of a closed tab that differs from another tab’s is listed among the drafts', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('closed.tab')
  await createChannel(ada, name)
  const other = await openTab(ada)
  await composer(ada).fill('typed in the first')
  await expect(composer(other)).toHaveValue('typed in the first')
  await composer(other).fill('typed in the second')
  await expect(composer(other)).toHaveValue('typed in the second')
  await expect(composer(ada)).toHaveValue('typed in the first')
  await other.close()
  await openGeneral(ada)
  await link(ada).click()
  for (const text of ['typed in the first', 'typed in the second'])
    await expect(drafts(ada).filter({ hasText: text })).toHaveCount(1)
})

test('a tab that only shows a draft updates with it; a file sent in one tab disappears from the other', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('followed'))
  await ada.getByLabel('Files to attach').setInputFiles([file('plan.txt')])
  await expect(tray(ada)).toContainText('5 B')
  const other = await openTab(ada)
  await composer(ada).fill('with the plan')
  await expect(composer(other)).toHaveValue('with the plan')
  await expect(tray(other)).toContainText('plan.txt')
  await ada.getByLabel('Files to attach').setInputFiles([file('second.txt')])
  await expect(tray(other)).toContainText('second.txt')
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await composer(ada).press('Enter')
  await expect(message(ada, 'with the plan')).toContainText('plan.txt')
  await expect(composer(other)).toHaveValue('')
  await expect(tray(other)).toHaveCount(0)
  await say(other, 'and nothing is in the way')
  await expect(message(ada, 'and nothing is in the way')).toBeVisible()
})

test('signing out asks before it discards a draft', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('leaving'))
  await composer(ada).fill('half a thought')
  await ada.getByRole('button', { name: 'Sign Out' }).click()
  await expect(ada.getByRole('dialog')).toBeVisible()
  await ada.getByRole('button', { name: 'Cancel' }).click()
  await expect(composer(ada)).toHaveValue('half a thought')
})

test('a pending message can be discarded with Undo', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('undone'))
  await ada.route('**/api/messages', (route) => route.abort())
  await say(ada, 'thrown away too soon')
  await expect(message(ada, 'thrown away too soon')).toContainText('Waiting to send')
  await message(ada, 'thrown away too soon').getByRole('button', { name: 'Discard' }).click()
  const undo = await undoButton(ada, 'Message discarded')
  await expect(message(ada, 'thrown away too soon')).toHaveCount(0)
  await undo.click()
  await expect(message(ada, 'thrown away too soon')).toBeVisible()
  // The next automatic attempt sends it.
  await ada.unroute('**/api/messages')
  await expect(message(ada, 'thrown away too soon')).not.toContainText('Waiting to send', { timeout: 60_000 })
})

test('leaving the page during an upload asks for confirmation', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('uploading'))
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await ada.route('**/api/files/upload', async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  await ada.getByLabel('Files to attach').setInputFiles([file('slow.txt')])
  await expect(tray(ada).getByRole('progressbar')).toBeVisible()
  await untilLateParts(ada)
  const dialogs: string[] = []
  ada.on('dialog', (dialog) => {
    dialogs.push(dialog.type())
    void dialog.dismiss()
  })
  await ada.close({ runBeforeUnload: true })
  await expect.poll(() => dialogs).toEqual(['beforeunload'])
  release()
  await expect(tray(ada)).toContainText('5 B')
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
})

test('Undo restores a draft with a file whose upload failed', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('given.back'))
  await ada.route('**/api/files/upload', (route) => route.abort())
  await ada.getByLabel('Files to attach').setInputFiles([file('slow.txt')])
  await expect(tray(ada)).toContainText('Connection lost')
  await composer(ada).fill('with a file')
  await openGeneral(ada)
  await link(ada).click()
  await drafts(ada).getByRole('button', { name: 'Discard' }).click()
  const undo = await undoButton(ada, 'Draft discarded')
  await expect(drafts(ada)).toHaveCount(0)
  await undo.click()
  await expect(drafts(ada)).toContainText('with a file')
  await expect(drafts(ada)).toContainText('slow.txt')
})

test('a message refused in a channel I am no longer in is listed among the drafts', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = uniqueName('shut.out')
  await createChannel(ada, name)
  await joinChannel(bob, name)
  await bob.route('**/api/messages', (route) => route.abort())
  await say(bob, 'waited too long')
  await expect(message(bob, 'waited too long')).toContainText('Waiting to send')
  await composer(bob).fill('in the box')
  await removeMember(ada, bob)
  await expect(bob.getByRole('heading', { name: `You are no longer in #${name}` })).toBeVisible()
  await bob.unroute('**/api/messages')
  await link(bob).click()
  for (const text of ['waited too long', 'in the box'])
    await expect(drafts(bob).filter({ hasText: text })).toHaveCount(1)
})

test('the drafts show even if the channel list fails to load', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await createChannel(ada, uniqueName('unlisted'))
  await composer(ada).fill('still mine')
  await openGeneral(ada)
  await link(ada).click()
  await expect(drafts(ada)).toContainText('still mine')
  await ada.route(/api\/channels(\?|$)/, (route) => route.fulfill({ status: 500, json: {} }))
  await ada.reload()
  await expect(drafts(ada)).toContainText('still mine')
})
