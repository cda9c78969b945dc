import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  createChannel,
  createPrivateChannel,
  expect,
  invite,
  message,
  say,
  sendMessages,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { expectNotified, hiddenTab } from '../support/hidden-tab.ts'
import { chooseAction, messageId, toast } from '../support/message-rows.ts'
import { picture } from '../support/pictures.ts'
import { recordHighlights } from '../support/recorded.ts'
import { signInAs, signOut } from '../support/signing-out.ts'
import { createSharedChannel, inConversation } from '../support/threads.ts'

const link = (page: Page) => page.getByRole('link', { name: /^Later/ })
const list = (page: Page) => page.getByRole('region', { name: 'Later', exact: true })
const item = (page: Page, text: string) => list(page).getByRole('listitem').filter({ hasText: text })
const dialog = (page: Page) => page.getByRole('dialog')
const choice = (page: Page, name: RegExp) => dialog(page).getByRole('button', { name })
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

test('a saved message is in Later on every device, follows its edits, and is done by key', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const channelId = await createSharedChannel(ada, bob)
  await sendMessages(ada, ['The contract is in the drawer'])
  const other = await bob.context().newPage()
  await other.goto('/later')
  await expect(other.getByText('Nothing saved for later')).toBeVisible()

  await chooseAction(bob, 'The contract', 'Save for later')
  await expect(message(bob, 'The contract').getByRole('link', { name: 'Saved for later' })).toBeVisible()
  await expect(item(other, 'The contract')).toContainText('Ada Lovelace')
  await expect(message(ada, 'The contract')).not.toContainText('Saved for later')
  const [{ id }] = await callApi(ada, 'GET', `/api/messages/channel/${channelId}`)
  await callApi(ada, 'PUT', `/api/messages/${id}`, { content: 'The contract is on the desk' })
  await expect(item(other, 'on the desk')).toBeVisible()

  await message(bob, 'The contract').getByRole('link', { name: 'Saved for later' }).click()
  const expectHighlight = await recordHighlights(bob)
  await item(bob, 'on the desk').getByRole('link', { name: 'Go to message' }).click()
  await expectHighlight('on the desk')
  await expect(inConversation(bob, 'on the desk')).toBeInViewport()

  await other.reload()
  await item(other, 'on the desk').getByRole('link', { name: 'Go to message' }).focus()
  await other.keyboard.press('d')
  await expect(other.getByText('Nothing saved for later')).toBeVisible()
  await expect(message(bob, 'The contract')).not.toContainText('Saved for later')
  await toast(other, 'Marked as done').getByRole('button', { name: 'Undo' }).click()
  await expect(item(other, 'on the desk')).toBeVisible()
  await item(other, 'on the desk').getByRole('button', { name: 'Mark as done' }).click()
  await other.getByText('Done', { exact: true }).click()
  await expectAccessible(other)
  await item(other, 'on the desk').getByRole('button', { name: 'Mark as not done' }).click()
  await expect(other.getByText('Nothing done yet')).toBeVisible()
  await expect(message(bob, 'The contract').getByRole('link', { name: 'Saved for later' })).toBeVisible()

  await message(bob, 'The contract').focus()
  await bob.keyboard.press('s')
  await expect(message(bob, 'The contract')).not.toContainText('Saved for later')
  await toast(bob, 'Removed from Later').getByRole('button', { name: 'Undo' }).click()
  await expect(message(bob, 'The contract').getByRole('link', { name: 'Saved for later' })).toBeVisible()
})

test('a reminder comes at its time, in the window and as a notification, until it is put off', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const channelId = await createSharedChannel(ada, bob)
  await sendMessages(ada, ['Please review the plan'])
  await chooseAction(bob, 'Please review', 'Remind me')
  await expect(dialog(bob).getByRole('listitem')).toHaveCount(new Date().getDay() === 0 ? 3 : 4)
  await expectAccessible(bob)
  await choice(bob, /^In 20 minutes/).click()
  await expect(message(bob, 'Please review').getByRole('link', { name: /^Reminder: / })).toBeVisible()

  const [{ id }] = await callApi(bob, 'GET', '/api/later')
  await callApi(bob, 'PATCH', `/api/later/${id}`, { dueAt: inMs(1500) })
  await expect(toast(bob, 'Please review the plan')).toContainText('Reminder: Ada Lovelace in #')
  await expect(link(bob)).toContainText('1 reminder due')
  await toast(bob, 'Please review the plan').getByRole('button', { name: 'Show' }).click()
  await expect(item(bob, 'Please review')).toContainText('Due since')
  await item(bob, 'Please review').getByRole('button', { name: 'Remind me' }).click()
  await choice(bob, /^Tomorrow/).click()
  await expect(item(bob, 'Please review')).toContainText('Reminder: tomorrow, 9:00')
  await expect(link(bob)).not.toContainText('due')

  await hiddenTab(bob, `/channels/${channelId}`)
  await callApi(bob, 'PATCH', `/api/later/${id}`, { dueAt: inMs(1500) })
  await expectNotified(bob, ['Please review the plan'])
})

test('a reminder of one’s own is written, refused without a text or a time to come, and changed, by keyboard', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await ada.keyboard.press('ControlOrMeta+Shift+l')
  await ada.getByRole('button', { name: 'New reminder' }).press('Enter')
  await expect(dialog(ada).getByLabel('What about?')).toBeFocused()
  await choice(ada, /^In 3 hours/).press('Enter')
  await expect(dialog(ada).getByRole('alert')).toHaveText('Write what you want to be reminded of')
  await dialog(ada).getByLabel('What about?').fill('Call the supplier')
  await dialog(ada).getByLabel('At a time of your choice').fill('2020-01-01T09:00')
  await dialog(ada).getByRole('button', { name: 'Remind me' }).press('Enter')
  await expect(dialog(ada).getByRole('alert')).toHaveText('Choose a time within the next year')
  await choice(ada, /^In 3 hours/).press('Enter')
  await expect(dialog(ada)).toBeHidden()
  await expect(item(ada, 'Call the supplier')).toContainText('Reminder: ')

  await item(ada, 'Call the supplier').getByRole('button', { name: 'Mark as done' }).focus()
  await ada.keyboard.press('m')
  // A 'd' in the text does not mark it as done, and a corrected text keeps its time.
  const [{ dueAt }] = await callApi(ada, 'GET', '/api/later')
  await dialog(ada).getByLabel('What about?').fill('')
  await dialog(ada).getByLabel('What about?').pressSequentially('Order candles')
  await ada.keyboard.press('Enter')
  await expect(item(ada, 'Order candles')).toContainText('Reminder: ')
  expect(await callApi(ada, 'GET', '/api/later')).toMatchObject([{ text: 'Order candles', dueAt }])
  await item(ada, 'Order candles').getByRole('button', { name: 'Remind me' }).click()
  await ada.context().setOffline(true)
  await dialog(ada).getByRole('button', { name: 'Remove the reminder' }).click()
  await expect(dialog(ada).getByRole('alert')).toContainText('Couldn’t change Later')
  await ada.context().setOffline(false)
  await dialog(ada).getByRole('button', { name: 'Remove the reminder' }).click()
  await expect(item(ada, 'Order candles')).not.toContainText('Reminder')
  await item(ada, 'Order candles').getByRole('button', { name: 'Mark as done' }).focus()
  await ada.keyboard.press('Backspace')
  await expect(ada.getByText('Nothing saved for later')).toBeVisible()
})

test('the dialog stays when its reminder becomes due, and Undo makes a removed one due again', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await callApi(ada, 'POST', '/api/later', { text: 'Call the supplier', dueAt: inMs(3000) })
  await ada.goto('/later')
  await item(ada, 'Call the supplier').getByRole('button', { name: 'Remind me' }).click()
  await dialog(ada).getByLabel('What about?').fill('Call them again')
  await expect(ada.locator('aside')).toContainText('1 reminder due')
  await expect(dialog(ada).getByLabel('What about?')).toHaveValue('Call them again')
  await dialog(ada).getByRole('button', { name: 'Save' }).click()
  await expect(item(ada, 'Call them again')).toContainText('Due since')
  await item(ada, 'Call them again').getByRole('button', { name: 'Remove from Later' }).click()
  await toast(ada, 'Removed from Later').getByRole('button', { name: 'Undo' }).click()
  await expect(item(ada, 'Call them again')).toContainText('Due since')
})

test('several are done in a row by key, and none by keys in a picture', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createSharedChannel(ada)
  const png = { name: 'view.png', mimeType: 'image/png', buffer: await picture(600, 400) }
  await ada.getByLabel('Files to attach').setInputFiles(png)
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await say(ada, 'a view')
  await callApi(ada, 'POST', '/api/later', { messageId: await messageId(ada, 'a view') })
  for (const text of ['one', 'two']) await callApi(ada, 'POST', '/api/later', { text })
  await ada.goto('/later')
  await item(ada, 'a view')
    .getByRole('button', { name: /view\.png/ })
    .click()
  await expect(dialog(ada)).toBeVisible()
  await ada.keyboard.press('d')
  await ada.keyboard.press('Escape')
  await expect(dialog(ada)).toBeHidden()
  await expect(item(ada, 'a view')).toBeVisible()
  await item(ada, 'two').getByRole('button', { name: 'Mark as done' }).focus()
  // Each at once, although none is confirmed yet.
  const answered = Promise.withResolvers<void>()
  await ada.route('**/api/later/*', async (route) => {
    await answered.promise
    await route.continue()
  })
  for (const left of [2, 1, 0]) {
    await ada.keyboard.press('d')
    await expect(list(ada).getByRole('listitem')).toHaveCount(left)
  }
  answered.resolve()
  await expect.poll(() => callApi(ada, 'GET', '/api/later')).toEqual([])
})

test('what was said to one person about Later is gone for the next', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await callApi(bob, 'POST', '/api/later', { text: 'of Bob' })
  await callApi(ada, 'POST', '/api/later', { text: 'my secret plan' })
  await ada.goto('/later')
  await item(ada, 'my secret plan').getByRole('button', { name: 'Remove from Later' }).click()
  await expect(toast(ada, 'Removed from Later')).toBeVisible()
  await signOut(ada)
  await signInAs(ada, (await userOn(bob)).username)
  await link(ada).click()
  await item(ada, 'of Bob').getByRole('button', { name: 'Mark as done' }).click()
  await expect(toast(ada, 'Marked as done')).toBeVisible()
  await expect(toast(ada, 'Removed from Later')).toHaveCount(0)
})

test('what I can no longer see stays in Later without its text', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const channelId = await createPrivateChannel(ada, bob, uniqueName('drawer'))
  const { id } = await callApi(ada, 'POST', '/api/messages', { channelId, content: 'a secret of the few' })
  await callApi(bob, 'POST', '/api/later', { messageId: id })
  await bob.goto('/later')
  await expect(item(bob, 'a secret of the few')).toBeVisible()
  await callApi(bob, 'POST', `/api/channels/${channelId}/leave`)
  await expect(item(bob, 'You can no longer see this message')).toBeVisible()
  await expect(list(bob)).not.toContainText('a secret')
  await invite(ada, bob, channelId)
  await expect(item(bob, 'a secret of the few')).toBeVisible()
  await callApi(bob, 'POST', `/api/channels/${channelId}/leave`)
  await item(bob, 'You can no longer').getByRole('button', { name: 'Remove from Later' }).click()
  await expect(bob.getByText('Nothing saved for later')).toBeVisible()

  // Of a channel that I have not joined, I receive no events.
  const openId = await createChannel(ada, uniqueName('open'))
  const { id: other } = await callApi(ada, 'POST', '/api/messages', { channelId: openId, content: 'the first version' })
  await callApi(bob, 'POST', '/api/later', { messageId: other })
  await expect(item(bob, 'the first version')).toBeVisible()
  await callApi(ada, 'PUT', `/api/messages/${other}`, { content: 'the second version' })
  await bob.getByRole('link', { name: 'Drafts' }).click()
  await link(bob).click()
  await expect(item(bob, 'the second version')).toBeVisible()
})
