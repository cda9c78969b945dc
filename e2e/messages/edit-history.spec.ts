import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signUpOwner } from '../support/accounts.ts'
import { callApi, createChannel, expect, message, say, test as shared, uniqueName } from '../support/fixtures.ts'
import { chooseAction, clickAction, messageId, toast } from '../support/message-rows.ts'
import { startServer } from '../support/server.ts'
import { createSharedChannel } from '../support/threads.ts'

/** A separate server, because a journey changes the workspace. */
const test = shared.extend<object, object>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const server = await startServer()
      await signUpOwner(server.address)
      await use(server)
      await server.remove()
    },
    { scope: 'worker' },
  ],
})

// Otherwise each worker would start a separate server.
test.describe.configure({ mode: 'default' })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Edit history' })
const versions = (page: Page) => dialog(page).getByRole('list', { name: 'Edit history' }).getByRole('listitem')
const edited = (page: Page, text: string) => message(page, text).getByText('edited', { exact: true })
const edit = (page: Page, id: string, content: string) => callApi(page, 'PUT', `/api/messages/${id}`, { content })

/** Ada's message, edited twice, on her page and Bob's. */
async function editTwice(ada: Page, bob: Page) {
  await createSharedChannel(ada, bob)
  await say(ada, 'Lunch at noon')
  const id = await messageId(ada, 'Lunch')
  await edit(ada, id, 'Lunch at one')
  await edit(ada, id, 'Late lunch at one')
  await expect(message(bob, 'Late lunch at one')).toBeVisible()
  return id
}

test('readers see what each edit changed, by the word or the menu, and the open list follows further edits', {
  tag: '@long',
}, async ({ person }) => {
  const [ada, bob] = [await person('Ada Lovelace'), await person('Bob Kahn')]
  const id = await editTwice(ada, bob)
  await edited(bob, 'Late lunch').click()
  await expect(versions(bob)).toHaveCount(3)
  await expect(versions(bob).nth(0)).toContainText('Current')
  await expect(versions(bob).nth(0).getByRole('deletion')).toHaveText('removed: Lunch')
  await expect(versions(bob).nth(0).getByRole('insertion')).toHaveText('added: Late lunch')
  await expect(versions(bob).nth(1).getByRole('deletion')).toHaveText('removed: noon')
  await expect(versions(bob).nth(1).getByRole('insertion')).toHaveText('added: one')
  await expect(versions(bob).nth(2)).toContainText('Original')
  await expect(versions(bob).nth(2)).toContainText('Lunch at noon')
  await expect(dialog(bob).getByRole('button', { name: /^Restore/ })).toHaveCount(0)
  await expectAccessible(bob)
  await edit(ada, id, 'Late lunch at two')
  await expect(versions(bob)).toHaveCount(4)
  await expect(versions(bob).nth(0).getByRole('insertion')).toHaveText('added: two')
  await bob.keyboard.press('Escape')
  await expect(dialog(bob)).toHaveCount(0)

  await chooseAction(bob, 'Late lunch', 'Edit history')
  await expect(versions(bob)).toHaveCount(4)
  await callApi(ada, 'DELETE', `/api/messages/${id}`)
  await expect(dialog(bob)).toHaveCount(0)

  await say(ada, 'never edited')
  await clickAction(ada, 'never edited', 'More actions')
  await expect(ada.getByRole('menuitem', { name: 'Copy link' })).toBeVisible()
  await expect(ada.getByRole('menuitem', { name: 'Edit history' })).toHaveCount(0)
})

test('the author restores an earlier version, and the one in between is kept', { tag: '@long' }, async ({ person }) => {
  const [ada, bob] = [await person('Ada Lovelace'), await person('Bob Kahn')]
  const id = await editTwice(ada, bob)
  await message(ada, 'Late lunch').focus()
  await chooseAction(ada, 'Late lunch', 'Edit history')
  await expectAccessible(ada)
  await expect(versions(ada).nth(0).getByRole('button')).toHaveCount(0)
  await versions(ada).nth(2).getByRole('button', { name: 'Restore' }).press('Enter')
  await expect(toast(ada, 'Version restored')).toBeVisible()
  await expect(versions(ada)).toHaveCount(4)
  await expect(versions(ada).nth(0).getByRole('deletion').first()).toBeVisible()
  await expect(message(bob, 'Lunch at noon')).toBeVisible()
  // What is on the list already has no button.
  await expect(dialog(ada).getByRole('button', { name: /^Restore/ })).toHaveCount(2)

  // A refusal is shown: somebody's other device was faster, and this page does not know yet.
  await ada.route('**/versions*', (route) => route.abort())
  await ada.route(`**/api/messages/${id}`, (route) =>
    route.fulfill({
      status: 409,
      json: { error: { code: 'edit_conflict', reason: 'editConflict', message: 'It has changed' } },
    }),
  )
  await versions(ada).nth(1).getByRole('button', { name: 'Restore' }).click()
  await expect(dialog(ada).getByRole('alert')).toHaveText(/^Couldn’t restore this version: the message/)
})

test('turned off by the owner, it disappears from open pages at once', { tag: '@long' }, async ({ person, owner }) => {
  const [ada, bob] = [await person('Ada Lovelace'), await person('Bob Kahn')]
  const id = await editTwice(ada, bob)
  await edited(bob, 'Late lunch').click()
  await expect(versions(bob)).toHaveCount(3)
  await owner.goto('/admin/settings')
  const box = owner.getByRole('checkbox', { name: 'Keep edit history' })
  await expect(box).toBeChecked()
  await box.click()
  await expect(box).not.toBeChecked()
  await expect(dialog(bob)).toContainText('This workspace no longer shows edit history')
  await bob.keyboard.press('Escape')
  await expect(edited(ada, 'Late lunch')).toBeVisible()
  await expect(message(ada, 'Late lunch').getByRole('button', { name: 'edited' })).toHaveCount(0)
  await clickAction(ada, 'Late lunch', 'More actions')
  await expect(ada.getByRole('menuitem', { name: 'Copy link' })).toBeVisible()
  await expect(ada.getByRole('menuitem', { name: 'Edit history' })).toHaveCount(0)
  await ada.keyboard.press('Escape')
  await edit(ada, id, 'Lunch at three')
  await owner.reload()
  await expect(box).not.toBeChecked()
  await box.click()
  await expect(message(ada, 'Lunch at three').getByRole('button', { name: 'edited' })).toBeVisible()
  await edited(ada, 'Lunch at three').click()
  // What was replaced meanwhile is missing.
  await expect(versions(ada)).toHaveCount(3)
})

test('of a message that was edited before there was a history, the dialog says so', { tag: '@long' }, async ({
  person,
  owner,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('before'))
  await say(ada, 'first words')
  const id = await messageId(ada, 'first words')
  await callApi(owner, 'PUT', '/api/workspace/edit-history', { isOn: false })
  await edit(ada, id, 'other words')
  await callApi(owner, 'PUT', '/api/workspace/edit-history', { isOn: true })
  await message(ada, 'other words').getByRole('button', { name: 'edited' }).click()
  await expect(versions(ada)).toHaveText([/Current\s*other words/])
  await expect(dialog(ada)).toContainText('What it said before wasn’t kept.')
})
