import { expectAccessible } from '../support/accessibility.ts'
import { failUntilRetried } from '../support/failing.ts'
import { callApi, composer, createChannel, expect, say, test, uniqueName } from '../support/fixtures.ts'
import {
  conversation,
  createSharedChannel,
  inConversation,
  inThread,
  openThread,
  panel,
  parentId,
  reply,
  replyBox,
  replyTexts,
} from '../support/threads.ts'

test('the URL contains the thread; the button, Escape and Back close it, and the focus returns to where it was', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createSharedChannel(ada)
  await say(ada, 'here to stay')
  const address = ada.url()
  await composer(ada).fill('a thought')
  await openThread(ada, 'here to stay')
  await expect(ada).toHaveURL(`${address}?thread=${await parentId(ada, 'here to stay')}`)
  await replyBox(ada).fill('half a reply')
  await panel(ada).getByRole('button', { name: 'Add emoji' }).click()
  const picker = ada.locator('em-emoji-picker')
  await expect(picker).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(picker).toHaveCount(0)
  await expect(panel(ada)).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(panel(ada)).toHaveCount(0)
  await expect(composer(ada)).toBeFocused()
  await expect(composer(ada)).toHaveValue('a thought')

  // Closing the panel goes back in history.
  await ada.goForward()
  await expect(replyBox(ada)).toHaveValue('half a reply')
  await ada.reload()
  await expect(inThread(ada, 'here to stay')).toBeVisible()
  await expect(replyBox(ada)).toBeFocused()
  await ada.goBack()
  await expect(panel(ada)).toHaveCount(0)
  await ada.goForward()
  await panel(ada).getByRole('button', { name: 'Close thread' }).click()
  await expect(panel(ada)).toHaveCount(0)
  await expect(ada).toHaveURL(address)
  const channelId = await createChannel(ada, uniqueName('after'))
  const { id: elsewhere } = await callApi(ada, 'POST', '/api/messages', { channelId, content: 'not in that channel' })
  await ada.goBack()
  await expect(inConversation(ada, 'here to stay')).toBeVisible()
  await expect(panel(ada)).toHaveCount(0)

  // Opened from the row itself, even on a phone, where the panel covers the row.
  await ada.setViewportSize({ width: 390, height: 844 })
  await inConversation(ada, 'here to stay').focus()
  await ada.keyboard.press('t')
  await expect(replyBox(ada)).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(inConversation(ada, 'here to stay')).toBeFocused()

  for (const id of ['0199a1de-0000-7000-8000-000000000000', 'nonsense', elsewhere]) {
    await ada.goto(`${address}?thread=${id}`)
    await expect(panel(ada).getByText('Thread not found')).toBeVisible()
    await expect(replyBox(ada)).toHaveCount(0)
    await panel(ada).getByRole('button', { name: 'Close thread' }).click()
    await expect(panel(ada)).toHaveCount(0)
  }
})

test('a thread that fails to load shows its parent, accepts replies, and can be retried', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createSharedChannel(ada)
  await say(ada, 'behind a wall')
  await expect(inConversation(ada, 'behind a wall').getByText('Waiting to send')).toHaveCount(0)
  await failUntilRetried(ada, '**/api/threads/*/messages**', (route) => route.abort())
  await openThread(ada, 'behind a wall')
  await expect(panel(ada).getByText('Loading thread messages...')).toBeVisible()
  await expect(panel(ada).getByText('This might take a moment')).toBeVisible()
  await expect(panel(ada).getByText('Unable to load thread')).toBeVisible()
  expect(await replyTexts(ada)).toEqual(['behind a wall'])
  await panel(ada).getByRole('button', { name: 'Try again' }).click()
  await expect(panel(ada).getByText('Unable to load thread')).toHaveCount(0)
  await reply(ada, 'through it')
  await expect(panel(ada).getByText('1 reply', { exact: true })).toBeVisible()
})

test('on a phone the thread is a sheet over everything with a back button, and my threads have fields to tap', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  const channelId = await createSharedChannel(ada)
  const { id } = await callApi(ada, 'POST', '/api/messages', { channelId, content: 'in the pocket' })
  for (const n of [1, 2, 3])
    await callApi(ada, 'POST', '/api/threads/messages', {
      parentMessageId: id,
      content: `reply ${n} ${'long '.repeat(60)}`,
    })
  await ada.goto(`${ada.url()}?thread=${id}`)
  await expect(inThread(ada, 'in the pocket')).toBeVisible()
  await expect.poll(() => panel(ada).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  await expect(composer(ada)).toBeHidden()
  await expect(replyBox(ada)).not.toBeFocused()
  await replyBox(ada).fill('and back')
  await panel(ada).getByRole('button', { name: 'Send reply', exact: true }).tap()
  await expect(panel(ada).getByText('4 replies', { exact: true })).toBeVisible()
  await panel(ada).getByRole('button', { name: 'Close thread' }).tap()
  await expect(composer(ada)).toBeVisible()

  await ada.goto('/threads')
  const list = ada.getByRole('region', { name: 'My threads' })
  const block = list.getByRole('listitem').filter({ hasText: 'in the pocket' })
  const more = block.getByRole('button', { name: 'Show 2 more replies' })
  const field = block.getByRole('button', { name: 'Reply to thread...' })
  for (const control of [more, field]) expect((await control.boundingBox())?.height).toBeGreaterThan(43.5)
  expect((await block.boundingBox())?.x).toBe(14)
  expect(await list.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  // A reply takes two lines.
  const replies = block.getByRole('article').locator('.prose')
  expect((await replies.nth(1).boundingBox())?.height).toBeLessThan(50)
  await expectAccessible(ada, 'threads on a phone')
  await field.tap()
  await expect(block.getByPlaceholder('Reply to thread...')).toBeFocused()
  await ada.keyboard.type('by thumb')
  await block.getByRole('button', { name: 'Send reply', exact: true }).tap()
  await expect(replies.last()).toHaveText('by thumb')
})

test('from 960 px the conversation makes room for the panel; below it is covered and inert', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createSharedChannel(ada)
  await say(ada, 'how wide is it')
  await openThread(ada, 'how wide is it')
  await reply(ada, 'as wide as 24rem')
  await expect(panel(ada).getByText('1 reply', { exact: true })).toBeVisible()
  const covered = async () => {
    const box = await panel(ada).boundingBox()
    const beneath = await conversation(ada).boundingBox()
    expect(box?.width).toBe(384)
    return (beneath?.x ?? 0) + (beneath?.width ?? 0) - (box?.x ?? 0)
  }
  for (const width of [1440, 1024, 960]) {
    await ada.setViewportSize({ width, height: 900 })
    await expect(async () => expect(await covered()).toBe(0)).toPass()
  }
  // Nothing is truncated in the narrow header, and the button keeps its name.
  const members = ada.getByRole('button', { name: 'Members' })
  await expect(members.getByText('1', { exact: true })).toBeInViewport({ ratio: 1 })
  await composer(ada).fill('both can be written in')
  await expectAccessible(ada)

  await ada.setViewportSize({ width: 800, height: 900 })
  await expect(async () => expect(await covered()).toBe(384)).toPass()
  await composer(ada).focus()
  await expect(composer(ada)).not.toBeFocused()
  await expectAccessible(ada)
  const { x = 0, y = 0 } = (await conversation(ada).boundingBox()) ?? {}
  await ada.mouse.click(x + 40, y + 40)
  await expect(panel(ada)).toHaveCount(0)
  await composer(ada).focus()
  await expect(composer(ada)).toBeFocused()
})

test('a link to a reply opens its thread at the reply, however far up it is', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const channelId = await createChannel(ada, uniqueName('long.thread'))
  const parent = await callApi(ada, 'POST', '/api/messages', { channelId, content: 'a long thread' })
  const answer = (content: string) =>
    callApi(ada, 'POST', '/api/threads/messages', { parentMessageId: parent.id, content })
  const { id } = await answer('the answer in question')
  for (let i = 0; i < 120; i++) await answer(`reply ${i}`)
  await ada.goto(`/channels/${channelId}?message=${id}`)
  await expect(panel(ada).getByText('the answer in question')).toBeInViewport()
  // Matched exactly, because 'reply 11' and the time of the next row, 9:30, would also form 'reply 119'.
  await expect(panel(ada).getByText('reply 119', { exact: true })).not.toBeInViewport()
  await expect(ada).not.toHaveURL(/reply=|message=/)
})

test('a message that is deleted before anybody replied closes its thread, and keeps what is being written', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('closed'))
  await say(ada, 'to be deleted')
  await openThread(ada, 'to be deleted')
  await replyBox(ada).fill('half a reply')
  await callApi(ada, 'DELETE', `/api/messages/${await parentId(ada, 'to be deleted')}`)
  await expect(panel(ada)).toContainText('This message was deleted before anyone replied')
  await expect(replyBox(ada)).toHaveCount(0)
  await ada.goto('/drafts')
  await ada.getByRole('main').getByText('half a reply').waitFor()
  await ada.getByRole('main').getByRole('button', { name: 'Discard' }).click()
  await expect(ada.getByRole('main')).toContainText('No drafts')
  // The list's region has the focus, not the page as a whole.
  await expect(ada.getByRole('region', { name: 'Drafts' })).toBeFocused()
})

test('a line marks the first unread reply, where a long thread opens, and stays while it is read', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const channelId = await createSharedChannel(ada, bob)
  const parent = await callApi(ada, 'POST', '/api/messages', { channelId, content: 'what is new?' })
  const replyOf = (content: string) =>
    callApi(bob, 'POST', '/api/threads/messages', { parentMessageId: parent.id, content })
  const newLine = panel(ada).getByText('New', { exact: true })
  await replyOf('the first')
  await openThread(ada, 'what is new?')
  await expect(newLine).toBeVisible()
  await expect.poll(async () => (await callApi(ada, 'GET', `/api/threads/${parent.id}/cursor`)).unread).toBe(0)
  await expect(newLine).toBeVisible()
  await panel(ada).getByRole('button', { name: 'Close thread' }).click()

  for (let n = 1; n <= 40; n++) await replyOf(`number ${n} of many`)
  await openThread(ada, 'what is new?')
  await expect(newLine).toBeInViewport()
  await expect(inThread(ada, 'number 1 of many')).toBeInViewport()
  await expect(inThread(ada, 'number 40 of many')).not.toBeInViewport()
  await panel(ada).getByRole('button', { name: 'Jump to latest' }).click()
  await expect(inThread(ada, 'number 40 of many')).toBeInViewport()
  await reply(ada, 'thank you')
  await panel(ada).getByRole('button', { name: 'Close thread' }).click()
  await openThread(ada, 'what is new?')
  await expect(inThread(ada, 'thank you')).toBeInViewport()
  await expect(newLine).toHaveCount(0)
})
