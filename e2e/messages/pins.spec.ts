import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { callApi, expect, message, sendMessages, test } from '../support/fixtures.ts'
import { chooseAction, toast } from '../support/message-rows.ts'
import { recordHighlights } from '../support/recorded.ts'
import { sendConcurrently } from '../support/send-many.ts'
import { createSharedChannel, inConversation, inThread } from '../support/threads.ts'

const openPins = (page: Page) => page.getByRole('button', { name: 'Pinned messages', exact: true })
const panel = (page: Page) => page.getByRole('complementary', { name: 'Pinned messages' })
const pinned = (page: Page, text: string) => panel(page).getByRole('listitem').filter({ hasText: text })

test('a pin appears for everyone, leads back to the message, and is gone when it is unpinned', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const channelId = await createSharedChannel(ada)
  await sendMessages(ada, ['The wifi password is on the fridge'])
  await sendConcurrently(ada, 80, (index) => `filler ${index}`)
  await callApi(bob, 'POST', `/api/channels/${channelId}/join`)
  await bob.goto(`/channels/${channelId}`)
  await openPins(bob).click()
  await expect(panel(bob).getByText('Nothing is pinned yet')).toBeVisible()

  const [{ id }] = await callApi(ada, 'GET', `/api/messages/channel/${channelId}?after=0&limit=1`)
  await ada.goto(`/channels/${channelId}?message=${id}`)
  await chooseAction(ada, 'The wifi password', 'Pin message')
  await expect(message(ada, 'The wifi password').getByRole('link', { name: 'Pinned by you' })).toBeVisible()
  await expect(pinned(bob, 'The wifi password')).toContainText('Pinned by Ada Lovelace')

  const expectHighlight = await recordHighlights(bob)
  await pinned(bob, 'The wifi password').getByRole('link', { name: 'Go to message' }).click()
  await expectHighlight('The wifi password')
  await expect(inConversation(bob, 'The wifi password')).toBeInViewport()
  await expect(inConversation(bob, 'The wifi password')).toContainText('Pinned by Ada Lovelace')

  await bob.reload()
  await expect(pinned(bob, 'The wifi password')).toBeVisible()
  await pinned(bob, 'The wifi password').getByRole('button', { name: 'Unpin message' }).click()
  await expect(panel(bob).getByText('Nothing is pinned yet')).toBeVisible()
  await expect(message(ada, 'The wifi password')).not.toContainText('Pinned by')
  await toast(bob, 'Message unpinned').getByRole('button', { name: 'Undo' }).click()
  await expect(pinned(bob, 'The wifi password')).toContainText('Pinned by you')
})

test('a reply is pinned by key, once however long it is held, and its thread lies over the pins', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const channelId = await createSharedChannel(ada)
  const { id } = await callApi(ada, 'POST', '/api/messages', { channelId, content: 'Which port?' })
  await callApi(ada, 'POST', '/api/threads/messages', { parentMessageId: id, content: 'Port 8080' })
  await ada.goto(`/channels/${channelId}?thread=${id}`)
  await inThread(ada, 'Port 8080').focus()
  const requests: string[] = []
  ada.on('request', (request) => request.url().endsWith('/pin') && requests.push(request.method()))
  for (let press = 0; press < 5; press++) await ada.keyboard.down('p')
  await ada.keyboard.up('p')
  await expect(inThread(ada, 'Port 8080')).toContainText('Pinned by you')
  expect(requests).toEqual(['PUT'])

  await inThread(ada, 'Port 8080').getByRole('link', { name: 'Pinned by you' }).click()
  await expect(pinned(ada, 'Port 8080')).toBeVisible()
  await pinned(ada, 'Port 8080').getByRole('link', { name: 'Go to reply' }).press('Enter')
  await expect(inThread(ada, 'Port 8080')).toBeVisible()
  await ada.getByRole('button', { name: 'Close thread' }).click()
  await expect(pinned(ada, 'Port 8080')).toBeVisible()
  // The focus is in the panel, not in the composer.
  await expect(panel(ada).locator(':focus')).toHaveCount(1)
  await ada.keyboard.press('Escape')
  await expect(panel(ada)).toBeHidden()
  await expect(ada).toHaveURL(`/channels/${channelId}`)
})

test('pins are read by keyboard, also those with lists, and a deleted one says so', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const channelId = await createSharedChannel(ada)
  for (const content of ['last', '- see [the plan](https://example.com/plan)\n- and then', 'first']) {
    const { id } = await callApi(ada, 'POST', '/api/messages', { channelId, content })
    await callApi(ada, 'PUT', `/api/messages/${id}/pin`)
  }
  await ada.goto(`/channels/${channelId}`)
  await openPins(ada).press('Enter')
  const cards = panel(ada).locator('section > ul > li')
  await expect(cards).toHaveCount(3)
  await ada.keyboard.press('Tab')
  await expect(cards.nth(0).getByRole('link', { name: 'Go to message' })).toBeFocused()
  await ada.keyboard.press('ArrowDown')
  await expect(cards.nth(1).locator(':focus')).toHaveCount(1)
  await ada.keyboard.press('ArrowDown')
  await expect(cards.nth(2).getByRole('link', { name: 'Go to message' })).toBeFocused()
  await expectAccessible(ada, 'pins')

  await chooseAction(ada, 'first', 'Delete message')
  await expect(cards.nth(0)).toContainText('Message deleted')
  await toast(ada, 'Message deleted').getByRole('button', { name: 'Undo' }).click()
  await expect(cards.nth(0)).toContainText('first')
  await openPins(ada).click()
  await expect(panel(ada)).toBeHidden()
  await ada.goBack()
  await expect(ada).not.toHaveURL(/pins/)

  // What the server has answered shows without a live connection, too.
  await ada.route('**/socket.io/**', (route) => route.abort())
  await ada.goto(`/channels/${channelId}`)
  await chooseAction(ada, 'first', 'Unpin message')
  await expect(inConversation(ada, 'first')).not.toContainText('Pinned by you')
})

test('on a phone the pins are in the channel’s menu, and following one closes them', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 390, height: 844 } })
  const channelId = await createSharedChannel(ada)
  const { id } = await callApi(ada, 'POST', '/api/messages', { channelId, content: 'Lunch is at noon' })
  await callApi(ada, 'PUT', `/api/messages/${id}/pin`)
  await ada.goto(`/channels/${channelId}`)
  await ada.getByRole('heading', { level: 1 }).getByRole('button').click()
  await ada.getByRole('menuitem', { name: 'Pinned messages' }).click()
  await expect(pinned(ada, 'Lunch is at noon')).toBeVisible()
  await pinned(ada, 'Lunch is at noon').getByRole('link', { name: 'Go to message' }).click()
  await expect(panel(ada)).toBeHidden()
  await expect(message(ada, 'Lunch is at noon')).toBeInViewport()
  await ada.goBack()
  await expect(pinned(ada, 'Lunch is at noon')).toBeVisible()
})
