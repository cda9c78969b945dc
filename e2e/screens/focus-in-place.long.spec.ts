import type { Page } from '@playwright/test'
import { callApi, createChannel, expect, invite, message, say, test, uniqueName, userOn } from '../support/fixtures.ts'
import { untilLateParts } from '../support/late-parts.ts'
import { messageId } from '../support/message-rows.ts'
import { openSettings } from '../support/settings.ts'
import { row } from '../support/sidebar.ts'

type Held = Window & { releaseFrames: () => void }

/** Holds back all animation frames of the page until the returned function is called. */
async function holdFrames(page: Page) {
  await page.evaluate(() => {
    const own = window.requestAnimationFrame
    const held: FrameRequestCallback[] = []
    window.requestAnimationFrame = (act) => held.push(act)
    const releaseFrames = () => {
      window.requestAnimationFrame = own
      for (const act of held) window.requestAnimationFrame(act)
    }
    Object.assign(window, { releaseFrames })
  })
  return () => page.evaluate(() => (window as unknown as Held).releaseFrames())
}

/** Holds back the answers of a call until the returned function is called. */
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

/** Two frames later the focus is still there. */
async function staysFocused(page: Page, target: ReturnType<Page['locator']>) {
  await expect(target).toBeFocused()
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
  )
  await expect(target).toBeFocused()
}

for (const order of ['before', 'after'] as const) {
  test(`the focus goes to the next row when a member is removed, ${order} the answer`, async ({ person }) => {
    const ada = await person('Ada Lovelace')
    const bob = await person('Bob Kahn', { open: false })
    const mei = await person('Mei Lin', { open: false })
    const name = uniqueName('founders')
    const id = await createChannel(ada, name, { isPrivate: true })
    await invite(ada, bob, id)
    await invite(ada, mei, id)
    await ada.getByRole('button', { name: 'Members 3' }).click()
    await ada.getByRole('button', { name: 'Remove Bob Kahn' }).click()
    const releaseAnswer = order === 'before' ? await holdAnswers(ada, '**/remove-member') : undefined
    const answer = ada.waitForResponse('**/remove-member')
    const releaseFrames = await holdFrames(ada)
    await ada.getByRole('button', { name: 'Remove Member' }).press('Enter')
    await expect(ada.getByRole('dialog').getByRole('listitem')).toHaveCount(2)
    const next = ada.getByRole('button', { name: 'Remove Mei Lin' })
    await expect(next).toBeFocused()
    releaseAnswer?.()
    await answer
    await releaseFrames()
    await staysFocused(ada, next)
    await next.press('Enter')
    await ada.getByRole('button', { name: 'Remove Member' }).press('Enter')
    await staysFocused(ada, ada.getByRole('dialog').getByRole('button', { name: /^Ada Lovelace/ }))
  })
}

test('a dialog that closes after its row was removed returns the focus to the row beside it', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const mei = await person('Mei Lin', { open: false })
  const id = await createChannel(ada, uniqueName('leavers'), { isPrivate: true })
  await invite(ada, bob, id)
  await invite(ada, mei, id)
  await ada.getByRole('button', { name: 'Members 3' }).click()
  await ada.getByRole('button', { name: 'Remove Bob Kahn' }).click()
  await callApi(bob, 'POST', `/api/channels/${id}/leave`)
  await expect(ada.locator('[role=dialog] li')).toHaveCount(2)
  const cancel = ada.getByRole('dialog', { name: 'Remove Member' }).getByRole('button', { name: 'Cancel' })
  await expect(cancel).toBeFocused()
  await cancel.press('Enter')
  await staysFocused(ada, ada.getByRole('button', { name: 'Remove Mei Lin' }))
})

test('signing out devices leaves the focus in their list', async ({ person, server }) => {
  const ada = await person('Ada Lovelace')
  const { username } = await userOn(ada)
  for (const _ of ['phone', 'tablet']) {
    const answer = await fetch(`${server.address}/api/auth/sign-in/username`, {
      method: 'POST',
      headers: { origin: server.address, 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'correct horse' }),
    })
    expect(answer.status).toBe(200)
  }
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
  // What is beside the list.
  await staysFocused(ada, dialog.getByRole('checkbox', { name: 'Keep messages on this device' }))
})

test('the focus goes to the next file when a chosen one is removed, also before the page is idle', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
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
})

test('a button that failed gets the focus back', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await ada.route('**/api/channels', (route) => route.fulfill({ status: 500, json: {} }))
  await ada.getByRole('button', { name: 'Create channel' }).click()
  const dialog = ada.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('unlucky')
  const create = dialog.getByRole('button', { name: 'Create Channel' })
  await create.press('Enter')
  await expect(dialog.getByRole('alert')).toBeVisible()
  await staysFocused(ada, create)
})

test('the focus stays at a message whose last reaction is removed', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('cheers'))
  await say(ada, 'we did it')
  const article = message(ada, 'we did it')
  const id = await messageId(ada, 'we did it')
  for (const emoji of ['🚀', '👍']) await callApi(ada, 'POST', `/api/messages/${id}/reactions`, { emoji })
  const chips = article.locator('button[aria-pressed]')
  await expect(chips).toHaveCount(2)
  await untilLateParts(ada)
  for (const left of [1, 0]) {
    await chips.first().press('Enter')
    await expect(chips).toHaveCount(left)
    await staysFocused(ada, article)
  }
})

for (const order of ['before', 'after'] as const) {
  test(`the focus goes to the next row when a channel is left, ${order} the answer`, async ({ person }) => {
    const ada = await person('Ada Lovelace', { open: false })
    const bob = await person('Bob Kahn')
    const names = [uniqueName('aaa'), uniqueName('aab')] as const
    for (const name of names) await invite(ada, bob, await createChannel(ada, name, { isPrivate: true }))
    await expect(row(bob, names[1])).toBeVisible()
    const releaseAnswer = order === 'before' ? await holdAnswers(bob, '**/leave') : undefined
    await row(bob, names[0]).focus()
    await bob.keyboard.press('Tab')
    await expect(bob.getByRole('button', { name: `Actions for ${names[0]}` })).toBeFocused()
    await bob.keyboard.press('Enter')
    await bob.getByRole('menuitem', { name: 'Leave' }).press('Enter')
    const answer = bob.waitForResponse('**/leave')
    await bob.getByRole('button', { name: 'Leave Channel' }).press('Enter')
    await expect(row(bob, names[0])).toHaveCount(0)
    releaseAnswer?.()
    await answer
    await staysFocused(bob, bob.getByRole('button', { name: `Actions for ${names[1]}` }))
  })
}
