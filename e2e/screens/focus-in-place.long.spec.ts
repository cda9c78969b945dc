import type { Page } from '@playwright/test'
import {
  callApi,
  composer,
  createChannel,
  expect,
  invite,
  message,
  removeMember,
  say,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { untilLateParts } from '../support/late-parts.ts'
import { messageId } from '../support/message-rows.ts'
import { openSettings } from '../support/settings.ts'
import { row } from '../support/sidebar.ts'

/** Holds back the responses to a call until the returned function is called. */
async function holdAnswers(page: Page, address: string) {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(address, async (route) => {
    const response = await route.fetch()
    await held
    await route.fulfill({ response })
  })
  return () => release()
}

/** Expects the focus to be still there two frames later. */
async function staysFocused(page: Page, target: ReturnType<Page['locator']>) {
  await expect(target).toBeFocused()
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
  )
  await expect(target).toBeFocused()
}

test('when a member goes, the focus goes to the next row, before the answer and after it', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const [bob, mei, zoe] = [
    await person('Bob Kahn', { open: false }),
    await person('Mei Lin', { open: false }),
    await person('Zoe Quinn', { open: false }),
  ]
  const id = await createChannel(ada, uniqueName('founders'), { isPrivate: true })
  for (const member of [bob, mei, zoe]) await invite(ada, member, id)
  await ada.getByRole('button', { name: 'Members 4' }).click()
  const rows = ada.locator('[role=dialog] li')
  const remove = (name: string) => ada.getByRole('button', { name: `Remove ${name}` })
  const confirmation = ada.getByRole('dialog', { name: 'Remove Member' })

  // The dialog closes after its row was removed.
  await remove('Bob Kahn').click()
  await callApi(bob, 'POST', `/api/channels/${id}/leave`)
  await expect(rows).toHaveCount(3)
  const cancel = confirmation.getByRole('button', { name: 'Cancel' })
  await expect(cancel).toBeFocused()
  await cancel.press('Enter')
  await staysFocused(ada, remove('Mei Lin'))

  const releaseAnswer = await holdAnswers(ada, '**/remove-member')
  const answer = ada.waitForResponse('**/remove-member')
  await remove('Mei Lin').press('Enter')
  await ada.getByRole('button', { name: 'Remove Member' }).press('Enter')
  await expect(rows).toHaveCount(2)
  await expect(remove('Zoe Quinn')).toBeFocused()
  releaseAnswer()
  await answer
  await staysFocused(ada, remove('Zoe Quinn'))
  await remove('Zoe Quinn').press('Enter')
  await ada.getByRole('button', { name: 'Remove Member' }).press('Enter')
  await staysFocused(ada, ada.getByRole('dialog').getByRole('button', { name: /^Ada Lovelace/ }))
})

test('when a device is signed out, a chosen file removed or a button fails, the focus stays beside it', async ({
  person,
  server,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const { username } = await userOn(ada)
  for (const _ of ['phone', 'tablet']) {
    const answer = await fetch(`${server.address}/api/auth/sign-in/username`, {
      method: 'POST',
      headers: { origin: server.address, 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'correct horse' }),
    })
    expect(answer.status).toBe(200)
  }

  await test.step('files, before the page is idle', async () => {
    await ada.route('**/assets/preloaded-*.js', () => {})
    await ada.goto('/')
    await ada.getByRole('button', { name: 'Upload', exact: true }).click()
    const dialog = ada.getByRole('dialog', { name: 'Upload Files' })
    const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
    await dialog.getByLabel('Files', { exact: true }).setInputFiles([text('a.txt'), text('b.txt')])
    await dialog.getByRole('button', { name: 'Remove a.txt' }).press('Enter')
    await staysFocused(ada, dialog.getByRole('button', { name: 'Remove b.txt' }))
    await ada.keyboard.press('Enter')
    await expect(dialog.getByRole('listitem')).toHaveCount(0)
    await staysFocused(ada, dialog.getByRole('button', { name: 'browse' }))
    await ada.unrouteAll()
    await ada.reload()
  })

  await test.step('devices', async () => {
    const dialog = await openSettings(ada, 'Devices')
    const devices = dialog.getByRole('list', { name: 'Devices' })
    const signOut = devices.getByRole('button', { name: /^Sign out/ })
    await expect(signOut).toHaveCount(2)
    const releaseAnswer = await holdAnswers(ada, '**/api/sessions/*')
    await signOut.first().press('Enter')
    await expect(signOut.first()).toBeDisabled()
    await expect(signOut.first()).toBeFocused()
    releaseAnswer()
    await expect(signOut).toHaveCount(1)
    await staysFocused(ada, signOut)
    await signOut.press('Enter')
    await expect(devices.getByRole('listitem')).toHaveCount(1)
    // The element next to the list.
    await staysFocused(ada, dialog.getByRole('checkbox', { name: 'Keep messages on this device' }))
    await ada.keyboard.press('Escape')
  })

  await test.step('a button that failed', async () => {
    await ada.route('**/api/channels', (route) => route.fulfill({ status: 500, json: {} }))
    await ada.getByRole('button', { name: 'Create channel' }).click()
    const dialog = ada.getByRole('dialog', { name: 'Create Channel' })
    await dialog.getByLabel('Name', { exact: true }).fill('unlucky')
    const create = dialog.getByRole('button', { name: 'Create Channel' })
    await create.press('Enter')
    await expect(dialog.getByRole('alert')).toBeVisible()
    await staysFocused(ada, create)
  })
})

test('the focus stays at a message whose last reaction is removed, and goes to the next row when a channel is left', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const names = ['aaa', 'aab', 'aac'].map(uniqueName) as [string, string, string]
  for (const name of names) await invite(ada, bob, await createChannel(ada, name, { isPrivate: true }))

  await createChannel(bob, uniqueName('cheers'))
  await say(bob, 'we did it')
  const article = message(bob, 'we did it')
  const id = await messageId(bob, 'we did it')
  for (const emoji of ['🚀', '👍']) await callApi(bob, 'POST', `/api/messages/${id}/reactions`, { emoji })
  const chips = article.locator('button[aria-pressed]')
  await expect(chips).toHaveCount(2)
  await untilLateParts(bob)
  for (const left of [1, 0]) {
    await chips.first().press('Enter')
    await expect(chips).toHaveCount(left)
    await staysFocused(bob, article)
  }

  const actions = (name: string) => bob.getByRole('button', { name: `Actions for ${name}` })
  await row(bob, names[0]).focus()
  await bob.keyboard.press('Tab')
  await expect(actions(names[0])).toBeFocused()
  for (const [name, next, order] of [
    [names[0], names[1], 'before the answer'],
    [names[1], names[2], 'after it'],
  ] as const) {
    const releaseAnswer = order === 'before the answer' ? await holdAnswers(bob, '**/leave') : undefined
    await bob.keyboard.press('Enter')
    await bob.getByRole('menuitem', { name: 'Leave' }).press('Enter')
    const answer = bob.waitForResponse('**/leave')
    await bob.getByRole('button', { name: 'Leave Channel' }).press('Enter')
    await expect(row(bob, name)).toHaveCount(0)
    releaseAnswer?.()
    await answer
    await staysFocused(bob, actions(next))
    await bob.unrouteAll({ behavior: 'wait' })
  }
})

test('when a removed member’s message box or only thread disappears, the focus goes to the page around', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { open: false })
  const id = await createChannel(ada, uniqueName('secret'), { isPrivate: true })
  await invite(ada, bob, id)
  const { id: parentMessageId } = await callApi(bob, 'POST', '/api/messages', { channelId: id, content: 'a question' })
  await callApi(ada, 'POST', '/api/threads/messages', { parentMessageId, content: 'an answer' })

  await bob.goto(`/channels/${id}`)
  await untilLateParts(bob)
  await expect(composer(bob)).toBeFocused()
  await bob.keyboard.type('half a sentence')
  await removeMember(ada, bob, id)
  await expect(bob.getByRole('main')).toContainText('You are no longer in')
  await staysFocused(bob, bob.getByRole('main'))

  await invite(ada, bob, id)
  await bob.goto('/threads')
  const threads = bob.getByRole('region', { name: 'My threads' })
  await untilLateParts(bob)
  await bob.getByRole('radio', { name: 'Unread' }).focus()
  await threads.getByRole('link').first().focus()
  await removeMember(ada, bob, id)
  await expect(bob.getByText('No threads yet')).toBeVisible()
  await staysFocused(bob, bob.getByRole('main'))
})
