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
import { clickAction } from '../support/message-rows.ts'
import { sendConcurrently } from '../support/send-many.ts'
import { keepNothing } from '../support/settings.ts'
import { goTo, row, undoButton } from '../support/sidebar.ts'

const posts = '**/api/messages'
const drafts = (page: Page) => page.getByRole('main').getByRole('listitem')
const link = (page: Page) => page.getByRole('link', { name: /^Drafts/ })
const tray = (page: Page) => page.getByRole('list', { name: 'Attached files' })
const attach = (page: Page, name: string) =>
  page.getByLabel('Files to attach').setInputFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from('bytes') }])

test('a draft stays in its channel, shows in other tabs, and survives a reload and closing all of them', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('half.done')
  await createChannel(ada, name)
  const url = ada.url()
  const other = await openTab(ada)
  await composer(ada).fill('half a thought')
  await expect(composer(other)).toHaveValue('half a thought')
  await composer(ada).fill('half a thought, and more')
  await ada.reload()
  await expect(composer(ada)).toHaveValue('half a thought, and more')
  await openGeneral(ada)
  await expect(composer(ada)).toHaveValue('')
  await expect(ada.getByRole('navigation').getByLabel('Draft')).toHaveCount(1)
  await expect(link(ada)).toHaveText('Drafts1')
  await goTo(ada, name)
  await expect(composer(ada)).toHaveValue('half a thought, and more')

  // Text typed in one tab is neither overwritten nor removed by another, and each restores its own.
  await composer(other).fill('a longer text, typed in the second tab')
  await expect(composer(ada)).toHaveValue('half a thought, and more')
  await other.reload()
  await expect(composer(other)).toHaveValue('a longer text, typed in the second tab')
  await ada.reload()
  await expect(composer(ada)).toHaveValue('half a thought, and more')
  await composer(ada).press('Enter')
  await expect(message(other, 'half a thought, and more')).toBeVisible()
  await expect(composer(other)).toHaveValue('a longer text, typed in the second tab')

  await other.close()
  await ada.close()
  const again = await ada.context().newPage()
  await again.goto(url)
  await expect(composer(again)).toHaveValue('a longer text, typed in the second tab')
  await composer(again).press('Enter')
  await expect(message(again, 'a longer text')).toBeVisible()
  await again.reload()
  await expect(message(again, 'a longer text')).toBeVisible()
  await expect(composer(again)).toHaveValue('')
})

test('what was written for conversations that ended is listed, and can be copied and discarded with Undo', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  await keepNothing(bob)
  const names = [uniqueName('deleted'), uniqueName('removed'), uniqueName('living')]
  const ids: string[] = []
  for (const [nth, name] of names.entries()) {
    ids.push(await createPrivateChannel(ada, bob, name))
    await composer(bob).fill(`begun in ${nth}`)
  }
  await goTo(bob, names[1] as string)
  await bob.route(posts, (route) => route.abort())
  await say(bob, 'waited too long')
  await expect(message(bob, 'waited too long')).toContainText('Waiting to send')
  await composer(bob).fill('begun in 1')
  await openGeneral(bob)
  await callApi(ada, 'DELETE', `/api/channels/${ids[0]}`)
  await removeMember(ada, bob, ids[1])
  await expect(row(bob, names[1] as string)).toHaveCount(0)
  await bob.unroute(posts)

  await link(bob).click()
  const lost = bob.getByRole('region', { name: 'From deleted conversations' }).getByRole('listitem')
  await expect(lost).toHaveCount(3)
  await expect(lost.filter({ hasText: 'begun in 0' })).toContainText(`#${names[0]}`)
  await expect(lost.filter({ hasText: 'begun in 1' })).toContainText(`#${names[1]}`)
  await expect(lost.filter({ hasText: 'waited too long' })).toContainText(`#${names[1]}`)
  await bob.reload()
  await expect(lost).toHaveCount(3)
  await bob.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await lost.filter({ hasText: 'begun in 1' }).getByRole('button', { name: 'Copy text' }).click()
  await expect.poll(() => bob.evaluate(() => navigator.clipboard.readText())).toBe('begun in 1')
  await lost.filter({ hasText: 'begun in 1' }).getByRole('button', { name: 'Discard' }).click()
  const undo = await undoButton(bob, 'Draft discarded')
  await expect(lost).toHaveCount(2)
  await undo.click()
  await expect(lost).toHaveCount(3)

  // They appear even if the list of channels fails to load.
  await bob.route(/api\/channels(\?|$)/, (route) => route.fulfill({ status: 500, json: {} }))
  await bob.reload()
  await expect(drafts(bob).filter({ hasText: 'begun in 0' })).toBeVisible()
  await bob.unroute(/api\/channels(\?|$)/)
  await bob.reload()
  await drafts(bob)
    .filter({ hasText: 'begun in 2' })
    .getByRole('link', { name: `#${names[2]}` })
    .click()
  await expect(composer(bob)).toHaveValue('begun in 2')
})

test('a file of a draft: leaving during its upload asks, other tabs show it until it is sent, and Undo restores it', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('uploading'))
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await ada.route('**/api/files/upload', async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  await attach(ada, 'plan.txt')
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

  const other = await openTab(ada)
  await composer(ada).fill('with the plan')
  await expect(composer(other)).toHaveValue('with the plan')
  await expect(tray(other)).toContainText('plan.txt')
  await attach(ada, 'second.txt')
  await expect(tray(other)).toContainText('second.txt')
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await composer(ada).press('Enter')
  await expect(message(ada, 'with the plan')).toContainText('plan.txt')
  await expect(composer(other)).toHaveValue('')
  await expect(tray(other)).toHaveCount(0)
  await say(other, 'and nothing is in the way')
  await expect(message(ada, 'and nothing is in the way')).toBeVisible()

  await ada.unroute('**/api/files/upload')
  await ada.route('**/api/files/upload', (route) => route.abort())
  await attach(ada, 'slow.txt')
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

test('an unsaved edit is reached from the page of drafts, however far back its message is', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('far.back')
  await createChannel(ada, name)
  await say(ada, 'far back')
  await clickAction(ada, 'far back', 'Edit message')
  await ada.getByRole('textbox', { name: 'Edit message' }).fill('far back, corrected')
  await sendConcurrently(ada, 150, (index) => `later ${index}`)
  await keepNothing(ada)
  await ada.goto('/drafts')
  await drafts(ada).getByRole('link', { name }).click()
  await expect(message(ada, 'far back')).toBeInViewport()
  await message(ada, 'far back').getByRole('button', { name: 'Unsaved edit' }).click()
  await expect(ada.getByRole('textbox', { name: 'Edit message' })).toHaveValue('far back, corrected')
})
