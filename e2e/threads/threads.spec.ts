import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  say,
  sendMessages,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { chooseAction, clickAction } from '../support/message-rows.ts'
import { joinChannel, row } from '../support/sidebar.ts'
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

test('a reply shows live in the panel and in the channel’s count, follows the thread, and is read when it is seen', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  const unread = async () => {
    const { threads } = await callApi(ada, 'GET', '/api/threads')
    return threads.map((it: { unread: number }) => it.unread)
  }
  await sendMessages(ada, ['first question', 'second question'])
  await openThread(bob, 'first question')
  await expect(panel(bob).getByRole('heading', { name: 'Thread', exact: true })).toBeVisible()
  await expect(replyBox(bob)).toBeFocused()
  await expect(inThread(bob, 'first question').getByRole('button', { name: 'Reply in thread' })).toHaveCount(0)
  await expect(panel(bob).getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
  await reply(bob, 'my first *answer*')
  await expect(panel(bob).getByRole('button', { name: 'Following' })).toBeVisible()
  // Ada follows the thread because she wrote the parent.
  await expect.poll(unread).toEqual([1])
  const summary = inConversation(ada, 'first question').getByRole('button', { name: /repl/ })
  await expect(summary).toHaveText('B1 replyLast reply just now')
  await summary.click()
  await expect(summary).toHaveAttribute('aria-expanded', 'true')
  await expect(inThread(ada, 'my first answer').locator('em')).toHaveText('answer')
  await expect(panel(ada).getByText('1 reply', { exact: true })).toBeVisible()
  await expect.poll(unread).toEqual([0])

  await reply(ada, 'and mine')
  await expect(inThread(bob, 'and mine')).toContainText('Ada Lovelace')
  await expect(panel(bob).getByText('2 replies', { exact: true })).toBeVisible()
  await expect(summary).toHaveText('AB2 repliesLast reply just now')
  await expect(conversation(ada).getByText('my first answer')).toHaveCount(0)
  await reply(bob, 'seen at once')
  await expect(inThread(ada, 'seen at once')).toBeVisible()
  await expect.poll(unread).toEqual([0])

  // Threads are kept apart.
  await openThread(bob, 'second question')
  await expect.poll(() => replyTexts(bob)).toEqual(['second question'])
  await reply(bob, 'elsewhere')
  await expect(inConversation(ada, 'second question')).toContainText('1 reply')
  expect(await replyTexts(ada)).toEqual(['first question', 'my first answer', 'and mine', 'seen at once'])
  const following = panel(ada).getByRole('button', { name: 'Following' })
  await following.click()
  await expect(following).toHaveCount(0)
  await expect.poll(unread).toEqual([1])
  await ada.reload()
  await panel(ada).getByRole('button', { name: 'Follow', exact: true }).click()
  await expect(following).toBeVisible()
  await expect.poll(async () => (await unread()).sort()).toEqual([0, 1])
})

test('a reply written offline waits in the panel and arrives once; a refused one returns or stays as a failed row', {
  tag: '@long',
}, async ({ person, network }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { address: network.address })
  await createSharedChannel(ada, bob)
  await say(ada, 'who is there')
  await openThread(ada, 'who is there')
  await openThread(bob, 'who is there')
  await untilPreloaded(bob, 'preloaded')
  network.cut()
  await bob.context().setOffline(true)
  await reply(bob, 'in the dark 1')
  await reply(bob, 'in the dark 2')
  await expect(inThread(bob, 'in the dark 1')).toContainText('Waiting to send: no connection')
  await expect(replyBox(bob)).toHaveValue('')
  await reply(ada, 'said meanwhile')
  await expect(inThread(ada, 'said meanwhile').and(ada.locator('[data-message]'))).toBeVisible()
  network.restore()
  await bob.context().setOffline(false)
  await expect(inThread(ada, 'in the dark 2')).toBeVisible({ timeout: 90_000 })
  await expect(inThread(bob, 'said meanwhile')).toBeVisible({ timeout: 90_000 })
  await expect(panel(bob).getByText('Waiting to send')).toHaveCount(0)
  const all = ['who is there', 'said meanwhile', 'in the dark 1', 'in the dark 2']
  for (const page of [ada, bob]) await expect.poll(() => replyTexts(page)).toEqual(all)

  let held: Promise<void> | undefined
  await ada.route('**/api/threads/messages', async (route) => {
    await held
    await route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'Not now' } } })
  })
  await reply(ada, 'unwelcome')
  await expect(panel(ada).getByRole('alert')).toHaveText('Failed to create thread message: not now')
  await expect(replyBox(ada)).toHaveValue('unwelcome')
  expect(await replyTexts(ada)).toEqual(all)
  await expect(composer(ada)).toHaveValue('')
  const { promise, resolve: release } = Promise.withResolvers<void>()
  held = promise
  await replyBox(ada).press('Enter')
  await replyBox(ada).fill('new text')
  release()
  await expect(inThread(ada, 'unwelcome')).toContainText('Failed to create thread message: not now')
  await expect(replyBox(ada)).toHaveValue('new text')
  await ada.unroute('**/api/threads/messages')
  await inThread(ada, 'unwelcome').getByRole('button', { name: 'Edit' }).click()
  await expect(replyBox(ada)).toHaveValue('unwelcome\nnew text')
  await expect(replyBox(ada)).toBeFocused()
  await replyBox(ada).press('Enter')
  await expect(panel(ada).getByText('4 replies', { exact: true })).toBeVisible()
})

test('a removed member keeps their unsent reply, and has it again after joining', { tag: '@long' }, async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { address: network.address })
  const name = uniqueName('members')
  const channelId = await createChannel(ada, name)
  await callApi(ada, 'POST', '/api/messages', { channelId, content: 'members only' })
  await joinChannel(bob, name)
  await openThread(bob, 'members only')
  const id = await parentId(bob, 'members only')
  const { id: userId } = await userOn(bob)
  network.cut()
  await bob.context().setOffline(true)
  await reply(bob, 'written as a member')
  await callApi(ada, 'POST', `/api/channels/${channelId}/remove-member`, { userId })
  network.restore()
  await bob.context().setOffline(false)
  await expect(bob.getByRole('heading', { name: /You are no longer in/ })).toBeVisible({ timeout: 90_000 })
  await expect(bob.getByText('written as a member')).toBeVisible()
  await expect(row(bob, name)).toContainText('not joined')
  await bob.getByRole('button', { name: /^Preview/ }).click()
  await panel(bob).getByRole('button', { name: 'Join channel' }).click()
  await expect(replyBox(bob)).toHaveValue('written as a member')
  await replyBox(bob).press('Enter')
  const stored = async () => (await callApi(ada, 'GET', `/api/threads/${id}/messages`)) as { content: string }[]
  await expect
    .poll(async () => (await stored()).map(({ content }) => content))
    .toEqual(['members only', 'written as a member'])
})

test('a reply is edited and deleted in its thread, and so is the parent, whose thread goes on', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'a question')
  await openThread(ada, 'a question')
  await reply(ada, 'an anser')
  await expect(inConversation(bob, 'a question')).toContainText('1 reply')
  await openThread(bob, 'a question')
  const edit = ada.getByRole('textbox', { name: 'Edit message' })
  await clickAction(ada, 'an anser', 'Edit message')
  await edit.fill('an answer, to be thought over')
  // Each Escape closes one thing.
  await edit.press('Escape')
  await expect(edit).toHaveCount(0)
  await expect(panel(ada)).toBeVisible()
  await inThread(ada, 'an anser').getByRole('button', { name: 'Unsaved edit' }).click()
  await edit.press('Enter')
  await expect(inThread(bob, 'an answer, to be thought over')).toContainText('edited')

  await clickAction(ada, 'an answer', 'More actions')
  await expect(ada.getByRole('menu')).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(ada.getByRole('menu')).toHaveCount(0)
  await expect(panel(ada)).toBeVisible()
  await chooseAction(ada, 'an answer', 'Delete message')
  await expect(inThread(bob, 'Message deleted')).toBeVisible()
  await expect(inConversation(bob, 'a question').getByRole('button', { name: /repl/ })).toHaveCount(0)

  await inThread(ada, 'a question').hover()
  await inThread(ada, 'a question').getByRole('button', { name: 'Edit message' }).click()
  await edit.fill('a better question')
  await edit.press('Enter')
  for (const page of [ada, bob]) {
    await expect(inConversation(page, 'a better question')).toContainText('edited')
    await expect(inThread(page, 'a better question')).toContainText('edited')
  }
  await reply(bob, 'I saw that')
  await expect(inConversation(ada, 'a better question')).toContainText('1 reply')
  await callApi(ada, 'DELETE', `/api/messages/${await parentId(ada, 'a better question')}`)
  await expect(inThread(bob, 'a better question')).toHaveCount(0)
  await reply(bob, 'and still talk')
  await expect(panel(bob).getByText('2 replies', { exact: true })).toBeVisible()
  const summary = inConversation(ada, 'Message deleted').getByRole('button', { name: '2 replies Last reply just now' })
  await expect(summary).toBeVisible()
  await bob.reload()
  await expect(inThread(bob, 'and still talk')).toBeVisible()
  await expect(inThread(bob, 'Message deleted')).toHaveCount(2)
})

test('a long thread opens at its end, older replies load while scrolling up, and a line leads back to the parent', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const channelId = await createSharedChannel(ada)
  const { id } = await callApi(ada, 'POST', '/api/messages', { channelId, content: 'Where do we **meet**?' })
  for (let n = 1; n <= 120; n++)
    await callApi(ada, 'POST', '/api/threads/messages', { parentMessageId: id, content: `part ${n}.` })
  await expect(inConversation(ada, 'Where do we meet?')).toContainText('120 replies')
  const waiting: (() => Promise<void>)[] = []
  await ada.route('**/api/threads/*/messages?*before=*', (route) => void waiting.push(() => route.continue()))
  await openThread(ada, 'Where do we meet?')
  await expect(inThread(ada, 'part 120.')).toBeInViewport()
  const list = panel(ada).getByRole('region', { name: 'Replies' })
  await list.evaluate((element) => element.scrollTo({ top: 200 }))
  await expect(panel(ada).getByText('Loading more...')).toBeVisible()
  await ada.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(async () => {
    await list.evaluate((element) => element.scrollTo({ top: 0 }))
    await expect(inThread(ada, 'part 1.')).toBeVisible({ timeout: 500 })
  }).toPass()
  expect((await replyTexts(ada)).slice(0, 4)).toEqual(['Where do we meet?', 'part 1.', 'part 2.', 'part 3.'])
  await expect(panel(ada).getByText('120 replies', { exact: true })).toBeVisible()
  await panel(ada).getByRole('button', { name: 'Jump to latest' }).click()
  await expect(inThread(ada, 'part 120.')).toBeInViewport()

  const line = panel(ada).getByRole('button', { name: 'Show the first message: Ada Lovelace Where do we meet?' })
  await expect(line).toBeVisible()
  await expectAccessible(ada, 'the line of the parent')
  await line.click()
  await expect(inThread(ada, 'Where do we meet?')).toBeInViewport()
  await expect(line).toHaveCount(0)
  await expect(list).toBeFocused()
})
