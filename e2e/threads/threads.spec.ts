import { callApi, channelIdOn, composer, expect, say, test } from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { row } from '../support/sidebar.ts'
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

test('a reply shows live in the panel and in the channel’s count; threads do not mix', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'first question')
  await say(ada, 'second question')
  await openThread(ada, 'first question')
  await expect(panel(ada).getByRole('heading', { name: 'Thread', exact: true })).toBeVisible()
  await expect(replyBox(ada)).toBeFocused()
  await expect(inThread(ada, 'first question').getByRole('button', { name: 'Reply in thread' })).toHaveCount(0)

  await openThread(bob, 'first question')
  await reply(ada, 'my first *answer*')
  await expect(inThread(bob, 'my first answer').locator('em')).toHaveText('answer')
  await expect(panel(bob).getByText('1 reply', { exact: true })).toBeVisible()
  await reply(bob, 'and mine')
  await expect(inThread(ada, 'and mine')).toContainText('Bob Kahn')
  await expect(panel(ada).getByText('2 replies', { exact: true })).toBeVisible()
  await expect(inConversation(ada, 'first question')).toContainText('2 replies')
  await expect(conversation(ada).getByText('my first answer')).toHaveCount(0)
  await inThread(ada, 'and mine').hover()
  await inThread(ada, 'and mine').getByRole('button', { name: 'Reply in thread' }).click()
  await expect(replyBox(ada)).toBeFocused()

  await openThread(bob, 'second question')
  await expect.poll(() => replyTexts(bob)).toEqual(['second question'])
  await reply(bob, 'elsewhere')
  await expect(inConversation(ada, 'second question')).toContainText('1 reply')
  expect(await replyTexts(ada)).toEqual(['first question', 'my first answer', 'and mine'])
  await inConversation(ada, 'second question')
    .getByRole('button', { name: /1 reply/ })
    .click()
  await expect(inThread(ada, 'elsewhere')).toBeVisible()
  await expect.poll(() => replyTexts(ada)).toEqual(['second question', 'elsewhere'])
})

test('a reply written offline waits in the panel, and arrives once after reconnecting', async ({ person, network }) => {
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
  network.restore()
  await bob.context().setOffline(false)
  await expect(inThread(ada, 'in the dark 2')).toBeVisible({ timeout: 90_000 })
  await expect(inThread(bob, 'said meanwhile')).toBeVisible({ timeout: 90_000 })
  await expect(panel(bob).getByText('Waiting to send')).toHaveCount(0)
  for (const page of [ada, bob])
    await expect
      .poll(() => replyTexts(page))
      .toEqual(['who is there', 'said meanwhile', 'in the dark 1', 'in the dark 2'])
})

test('a refused reply returns to the composer with the error, or stays as a failed row if there is new text', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createSharedChannel(ada)
  await say(ada, 'closed question')
  await openThread(ada, 'closed question')
  const refuse = (message: string) =>
    ada.route('**/api/threads/messages', async (route) => {
      await held
      await route.fulfill({ status: 403, json: { error: { code: 'forbidden', message } } })
    })
  let held: Promise<void> | undefined
  await refuse('Not now')
  await reply(ada, 'unwelcome')
  await expect(panel(ada).getByRole('alert')).toHaveText('Failed to create thread message: not now')
  await expect(replyBox(ada)).toHaveValue('unwelcome')
  expect(await replyTexts(ada)).toEqual(['closed question'])
  await expect(composer(ada)).toHaveValue('')

  let release = () => {}
  held = new Promise((resolve) => {
    release = resolve
  })
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
  await expect(panel(ada).getByText('1 reply', { exact: true })).toBeVisible()
})

test('a removed member keeps their unsent reply, and has it again after joining', async ({ person, network }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { address: network.address })
  await createSharedChannel(ada, bob)
  await say(ada, 'members only')
  await openThread(bob, 'members only')
  const { user } = await (await bob.request.get('/api/auth/get-session')).json()
  network.cut()
  await bob.context().setOffline(true)
  await reply(bob, 'written as a member')
  await callApi(ada, 'POST', `/api/channels/${channelIdOn(ada)}/remove-member`, { userId: user.id })
  network.restore()
  await bob.context().setOffline(false)
  await expect(bob.getByRole('heading', { name: /You are no longer in/ })).toBeVisible({ timeout: 90_000 })
  await expect(bob.getByText('written as a member')).toBeVisible()
  const name = (await ada.getByRole('heading', { level: 1 }).innerText()).replace('#', '').trim()
  await expect(row(bob, name)).toContainText('not joined')
  await bob.getByRole('button', { name: /^Preview/ }).click()
  await panel(bob).getByRole('button', { name: 'Join channel' }).click()
  await expect(replyBox(bob)).toHaveValue('written as a member')
  await replyBox(bob).press('Enter')
  await openThread(ada, 'members only')
  await expect(inThread(ada, 'written as a member')).toBeVisible()
})

test('a thread continues after its parent is deleted', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'to be taken back')
  await openThread(bob, 'to be taken back')
  await reply(bob, 'I saw that')
  await expect(inConversation(ada, 'to be taken back')).toContainText('1 reply')
  await callApi(ada, 'DELETE', `/api/messages/${await parentId(ada, 'to be taken back')}`)
  await expect(inThread(bob, 'Message deleted')).toBeVisible()
  await reply(bob, 'and still talk')
  await expect(panel(bob).getByText('2 replies', { exact: true })).toBeVisible()
  await bob.reload()
  await expect(inThread(bob, 'and still talk')).toBeVisible()
  await expect(inThread(bob, 'Message deleted')).toBeVisible()
})

test('a long thread opens at its end, and older replies load while scrolling up', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createSharedChannel(ada)
  await say(ada, 'a long story')
  await expect(inConversation(ada, 'a long story')).toBeVisible()
  const id = await parentId(ada, 'a long story')
  for (let n = 1; n <= 120; n++)
    await callApi(ada, 'POST', '/api/threads/messages', { parentMessageId: id, content: `part ${n}.` })
  await expect(inConversation(ada, 'a long story')).toContainText('120 replies')
  const waiting: (() => Promise<void>)[] = []
  await ada.route('**/api/threads/*/messages?*before=*', (route) => void waiting.push(() => route.continue()))
  await openThread(ada, 'a long story')
  await expect(inThread(ada, 'part 120.')).toBeInViewport()
  const list = panel(ada).getByRole('region', { name: 'Replies' })
  await list.evaluate((element) => element.scrollTo({ top: 200 }))
  await expect(panel(ada).getByText('Loading more...')).toBeVisible()
  await ada.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(async () => {
    await list.evaluate((element) => element.scrollTo({ top: 0 }))
    await expect(inThread(ada, 'part 1.')).toBeVisible({ timeout: 500 })
  }).toPass()
  expect((await replyTexts(ada)).slice(0, 4)).toEqual(['a long story', 'part 1.', 'part 2.', 'part 3.'])
  await expect(panel(ada).getByText('120 replies', { exact: true })).toBeVisible()
  await panel(ada).getByRole('button', { name: 'Jump to latest' }).click()
  await expect(inThread(ada, 'part 120.')).toBeInViewport()
})

test('replying follows a thread; it can be unfollowed, and is read when its end is seen', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'follow me')
  const unread = async () => {
    const { threads } = await callApi(ada, 'GET', '/api/threads')
    return threads.map((it: { unread: number }) => it.unread)
  }
  await openThread(bob, 'follow me')
  await expect(panel(bob).getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
  await reply(bob, 'one')
  await expect(panel(bob).getByRole('button', { name: 'Following' })).toBeVisible()
  // Ada follows the thread because she wrote the parent.
  await expect.poll(unread).toEqual([1])
  await openThread(ada, 'follow me')
  await expect.poll(unread).toEqual([0])
  await reply(bob, 'two')
  await expect(inThread(ada, 'two')).toBeVisible()
  await expect.poll(unread).toEqual([0])

  await panel(ada).getByRole('button', { name: 'Following' }).click()
  await expect(panel(ada).getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
  await expect.poll(unread).toEqual([])
  await ada.reload()
  await panel(ada).getByRole('button', { name: 'Follow', exact: true }).click()
  await expect(panel(ada).getByRole('button', { name: 'Following' })).toBeVisible()
  await expect.poll(unread).toEqual([0])
})
