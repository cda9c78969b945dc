import type { Page } from '@playwright/test'
import {
  callApi,
  channelIdOn,
  createChannel,
  expect,
  message,
  sendMessages,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { nextReady } from '../support/live.ts'
import { chooseAction, toast } from '../support/message-rows.ts'
import { recordHighlights } from '../support/recorded.ts'
import { sendConcurrently } from '../support/send-many.ts'
import { keepNothing } from '../support/settings.ts'
import { settled } from '../support/settled.ts'
import { conversation, createSharedChannel, inConversation, inThread } from '../support/threads.ts'

const jump = (page: Page) => page.getByRole('button', { name: 'Jump to latest' })

test('a copied link opens the channel at the message, however old, or its thread; a dead one says so', {
  tag: '@long',
}, async ({ person, server }) => {
  const ada = await person('Ada Lovelace', { permissions: ['clipboard-read', 'clipboard-write'] })
  const bob = await person('Bob Kahn', { open: false })
  const channelId = await createSharedChannel(ada)
  const { id } = await callApi(ada, 'POST', '/api/messages', { channelId, content: 'the one' })
  await callApi(ada, 'POST', '/api/threads/messages', { parentMessageId: id, content: 'an answer' })
  await sendConcurrently(ada, 120, (index) => `filler ${index}`)
  await sendMessages(ada, ['the last'])
  await callApi(bob, 'POST', `/api/channels/${channelId}/join`)
  const copyLink = async (text: string) => {
    await chooseAction(ada, text, 'Copy link')
    await expect(toast(ada, 'Link copied')).toBeVisible()
    return ada.evaluate(() => navigator.clipboard.readText())
  }
  const link = await copyLink('the last')
  expect(link).toMatch(new RegExp(`^${server.address}/channels/${channelId}\\?message=[0-9a-f-]{36}$`))

  const expectHighlight = await recordHighlights(bob)
  await bob.goto(link)
  await expectHighlight('the last')
  await bob.goto(`/channels/${channelId}?message=${id}`)
  await expectHighlight('the one')
  await expect(message(bob, 'the one')).toBeInViewport()
  await expect(jump(bob)).toBeVisible()
  await expect(bob).toHaveURL(/\/channels\/[0-9a-f-]{36}$/)
  await bob.goto(`/channels/${channelId}?message=01990000-0000-7000-8000-000000000000`)
  await expect(toast(bob, 'Message not found')).toBeVisible()
  await expect(message(bob, 'the last')).toBeInViewport()

  // A link to a reply opens its thread beside the parent message.
  await ada.goto(`/channels/${channelId}?thread=${id}`)
  await expect(inThread(ada, 'an answer')).toBeVisible()
  const toReply = await copyLink('an answer')
  expect(toReply).not.toBe(link)
  await bob.goto(toReply)
  await expect(inThread(bob, 'an answer')).toBeVisible()
  await expect(inConversation(bob, 'the one')).toBeVisible()
})

test('a link within the channel leads to an old message and Back returns; a dead link says so', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await createChannel(ada, uniqueName('back'))
  await sendMessages(ada, ['the old one'])
  await sendConcurrently(ada, 260, (index) => `filler ${index}`)
  const [old] = await callApi(ada, 'GET', `/api/messages/channel/${channelIdOn(ada)}?after=0&limit=1`)
  const link = `${new URL(ada.url()).origin}/channels/${old.channelId}?message=`
  await sendMessages(ada, [
    `look: ${link}${old.id}`,
    `nothing: ${link}01990000-0000-7000-8000-000000000000`,
    ...Array.from({ length: 6 }, (_, i) => `after ${i}`),
  ])
  const live = nextReady(ada)
  await ada.reload()
  await expect(message(ada, 'after 5')).toBeInViewport()
  // While a page connects, a bar may take some space.
  await live
  await expect(ada.locator('.connection-bar')).toHaveCount(0)
  await conversation(ada).hover()
  await ada.mouse.wheel(0, -120)
  await expect(jump(ada)).toBeVisible()
  const placeOf = async () => (await message(ada, 'look:').boundingBox())?.y ?? 0
  await settled(ada)
  const before = await placeOf()

  const expectHighlight = await recordHighlights(ada)
  await message(ada, 'look:').getByRole('link').click()
  await expectHighlight('the old one')
  await expect(message(ada, 'the old one')).toBeInViewport()
  await expect(message(ada, 'look:')).toHaveCount(0)
  await expect(ada).toHaveURL(/[0-9a-f]$/)
  await ada.goBack()
  await expect(message(ada, 'look:')).toBeInViewport()
  await expect.poll(async () => Math.abs((await placeOf()) - before)).toBeLessThan(2)

  await message(ada, 'nothing:').getByRole('link').click()
  await expect(toast(ada, 'Message not found')).toBeVisible()
  await expect(message(ada, 'look:')).toBeInViewport()
})
