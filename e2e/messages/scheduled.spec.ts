import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  createPrivateChannel,
  expect,
  message,
  messageTexts,
  openTab,
  removeMember,
  sendMessages,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { toast } from '../support/message-rows.ts'
import { createSharedChannel, openThread, panel, replyBox } from '../support/threads.ts'

const list = (page: Page) => page.getByRole('region', { name: 'Scheduled', exact: true })
const item = (page: Page, text: string) => list(page).getByRole('listitem').filter({ hasText: text })
const dialog = (page: Page) => page.getByRole('dialog')
const choice = (page: Page, name: RegExp) => dialog(page).getByRole('button', { name })
const line = (page: Page) => page.locator('.composer-place').getByRole('link', { name: /Sends|scheduled|sent/ })
const draftsLink = (page: Page) => page.getByRole('link', { name: /^Drafts/ })
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Lets the time of a person's only scheduled message come in a moment. */
async function letItCome(page: Page) {
  const [{ id }] = await callApi(page, 'GET', '/api/scheduled-messages')
  await callApi(page, 'PATCH', `/api/scheduled-messages/${id}`, { sendAt: inMs(1500) })
}

test('a message is scheduled from the composer, edited on another device, and sent once at its time', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await expect(ada.getByRole('button', { name: 'Send later' })).toBeDisabled()
  await composer(ada).fill('Good morning, all')
  await ada.getByLabel('Files to attach').setInputFiles({
    name: 'agenda.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('one point'),
  })
  await ada.getByRole('button', { name: 'Send later' }).click()
  await expectAccessible(ada)
  await choice(ada, /^Tomorrow/).click()
  await expect(toast(ada, 'Scheduled: tomorrow, 9:00')).toBeVisible()
  await expect(composer(ada)).toHaveValue('')
  await expect(composer(ada)).toBeFocused()
  await expect(line(ada)).toHaveText(/^Sends tomorrow, 9:00/)
  await expect(ada.getByRole('list', { name: 'Attached files' })).toHaveCount(0)

  const other = await openTab(ada)
  await other.goto('/drafts?show=scheduled')
  await expect(item(other, 'Good morning')).toContainText('agenda.txt')
  await item(other, 'Good morning').getByRole('button', { name: 'Edit text' }).click()
  await other.getByRole('textbox', { name: 'Edit text' }).fill('Good morning, everyone')
  await other.keyboard.press('Enter')
  await expect(item(other, 'everyone')).toBeVisible()
  await expectAccessible(other)
  await item(other, 'everyone').getByRole('button', { name: 'Change time' }).press('Enter')
  await dialog(other).getByLabel('At a time of your choice').fill('2020-01-01T10:00')
  await dialog(other).getByRole('button', { name: 'Schedule', exact: true }).click()
  await expect(dialog(other)).toContainText('Choose a time within the next year')
  await choice(other, /^In 3 hours/).click()
  await expect(toast(other, 'Scheduled: ')).toBeVisible()
  // In three hours it may be tomorrow.
  await expect(line(ada)).not.toContainText('tomorrow, 9:00')

  await letItCome(ada)
  await expect(message(bob, 'Good morning, everyone')).toContainText('agenda.txt')
  await expect(message(ada, 'Good morning, everyone')).toBeVisible()
  await expect(other.getByText('Nothing scheduled')).toBeVisible()
  await expect(line(ada)).toHaveCount(0)
  await ada.reload()
  await expect(message(ada, 'Good morning')).toHaveCount(1)
  expect(await messageTexts(bob)).toEqual(['Good morning, everyone'])
})

test('undo and “Move to drafts” bring the text back; a cancelled message can be restored', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('plans'))
  await composer(ada).fill('Half a thought')
  await composer(ada).press('ControlOrMeta+Shift+Enter')
  await choice(ada, /^In 3 hours/).click()
  await toast(ada, 'Scheduled: ').getByRole('button', { name: 'Undo' }).click()
  await expect(composer(ada)).toHaveValue('Half a thought')
  await expect(line(ada)).toHaveCount(0)

  await composer(ada).press('ControlOrMeta+Shift+Enter')
  await choice(ada, /^In 3 hours/).click()
  await composer(ada).fill('and another')
  await line(ada).click()
  await item(ada, 'Half a thought').getByRole('button', { name: 'Cancel message' }).click()
  await expect(ada.getByText('Nothing scheduled')).toBeVisible()
  await toast(ada, 'Scheduled message cancelled').getByRole('button', { name: 'Undo' }).click()
  await item(ada, 'Half a thought').getByRole('button', { name: 'Move to drafts' }).click()
  await expect(ada.getByText('Nothing scheduled')).toBeVisible()
  await ada.getByText('Drafts', { exact: true }).last().click()
  await ada.getByRole('link', { name: 'Continue' }).click()
  await expect(composer(ada)).toHaveValue('Half a thought\nand another')
})

test('what is refused at its time comes back with the reason', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = uniqueName('secret')
  await createPrivateChannel(ada, bob, name)
  await composer(bob).fill('See you on Monday')
  await bob.getByRole('button', { name: 'Send later' }).click()
  await choice(bob, /^Tomorrow/).click()
  await expect(line(bob)).toBeVisible()
  await removeMember(ada, bob)
  await letItCome(bob)
  await expect(toast(bob, `Your message in #${name} wasn’t sent: You’re no longer in this conversation`)).toBeVisible()
  await expect(draftsLink(bob)).toContainText('1 scheduled message wasn’t sent')
  await toast(bob, 'wasn’t sent').getByRole('button', { name: 'Show' }).click()
  await expect(item(bob, 'See you on Monday')).toContainText('Not sent: You’re no longer in this conversation')
  await bob.reload()
  await expect(item(bob, 'See you on Monday').getByRole('button', { name: 'Copy text' })).toBeVisible()
  await expectAccessible(bob)
  await item(bob, 'See you on Monday').getByRole('button', { name: 'Discard' }).click()
  await toast(bob, 'cancelled').getByRole('button', { name: 'Undo' }).click()
  await expect(toast(bob, 'It’s in your drafts now')).toBeVisible()
  await expect(draftsLink(bob)).not.toContainText('wasn’t sent')
  await bob.getByText('Drafts', { exact: true }).last().click()
  await expect(bob.getByText('See you on Monday')).toBeVisible()
})

test('a reply is scheduled in its thread; offline, the dialog stays and the text is kept', { tag: '@long' }, async ({
  person,
  network,
}) => {
  const bob = await person('Bob Kahn')
  const ada = await person('Ada Lovelace', { address: network.address })
  await createSharedChannel(bob, ada)
  await sendMessages(bob, ['What is new?'])
  await openThread(ada, 'What is new?')
  await replyBox(ada).fill('Nothing yet')
  await replyBox(ada).press('ControlOrMeta+Shift+Enter')
  await expect(choice(ada, /^Tomorrow/)).toBeVisible()
  network.cut()
  await choice(ada, /^Tomorrow/).click()
  await expect(dialog(ada).getByRole('alert')).toContainText('Couldn’t schedule the message')
  network.restore()
  await choice(ada, /^Tomorrow/).click()
  await expect(panel(ada).getByRole('link', { name: /^Sends tomorrow/ })).toBeVisible()
  await expect(replyBox(ada)).toHaveValue('')
  await letItCome(ada)
  await expect(panel(ada).getByRole('article').filter({ hasText: 'Nothing yet' })).toHaveCount(1)
  await expect(message(bob, 'What is new?')).toContainText('1 reply')
})

/** Loses the answers to a method of the calls about scheduled messages: the server has acted. */
const loseAnswers = (page: Page, method: string) =>
  page.route('**/api/scheduled-messages**', async (route) => {
    if (route.request().method() !== method) return route.fallback()
    await route.fetch()
    await route.abort()
  })

test('lost answers double nothing and lose nothing, nor does an edit that comes too late', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const channelId = await createChannel(ada, uniqueName('plans'))
  await loseAnswers(ada, 'POST')
  await composer(ada).fill('Only once')
  await ada.getByRole('button', { name: 'Send later' }).click()
  await choice(ada, /^Tomorrow/).click()
  await expect(toast(ada, 'Scheduled: ')).toBeVisible()
  await expect(composer(ada)).toHaveValue('')
  await ada.unroute('**/api/scheduled-messages**')

  await loseAnswers(ada, 'DELETE')
  await line(ada).click()
  await item(ada, 'Only once').getByRole('button', { name: 'Move to drafts' }).click()
  await expect(ada.getByText('Nothing scheduled')).toBeVisible()
  await ada.unroute('**/api/scheduled-messages**')
  await ada.goto(`/channels/${channelId}`)
  await expect(composer(ada)).toHaveValue('Only once')

  await composer(ada).press('ControlOrMeta+Shift+Enter')
  await choice(ada, /^Tomorrow/).click()
  await line(ada).click()
  await item(ada, 'Only once').getByRole('button', { name: 'Edit text' }).click()
  await ada.getByRole('textbox', { name: 'Edit text' }).fill('Only once, corrected')
  await letItCome(ada)
  await expect.poll(() => callApi(ada, 'GET', '/api/scheduled-messages')).toEqual([])
  await ada.getByRole('textbox', { name: 'Edit text' }).press('Enter')
  await expect(toast(ada, 'Your change is in your drafts')).toBeVisible()
  await expect(ada.getByText('Nothing scheduled')).toBeVisible()
  await ada.goto(`/channels/${channelId}`)
  await expect(composer(ada)).toHaveValue('Only once, corrected')
  await expect.poll(() => messageTexts(ada)).toEqual(['Only once'])
})
