import { callApi, expect, removeMember, test } from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { settled } from '../support/settled.ts'
import { undoButton } from '../support/sidebar.ts'
import { createSharedChannel, inThread, openThread, panel } from '../support/threads.ts'
import { block, box, heads, link, list, replies, replyTo, send, write } from '../support/threads-page.ts'

test('threads are read and answered on their own page, live, and nothing moves under the hands', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const channelId = await createSharedChannel(ada, bob)
  const ids: Record<string, string> = {}
  for (const name of ['lowest', 'low', 'lower middle', 'middle', 'high']) {
    ids[name] = await send(ada, channelId, `the ${name} question`)
    for (const n of [1, 2, 3, 4]) await replyTo(bob, ids[name], `answer ${n} to the ${name}`)
    if (name !== 'high') await callApi(ada, 'PUT', `/api/threads/${ids[name]}/read`, { seq: 4 })
  }
  const high = 'the high question'
  await expect(link(ada)).toContainText('1 with new replies')
  await link(ada).click()
  await expect(replies(ada, high)).toHaveText([high, 'answer 3 to the high', 'answer 4 to the high'])
  await expect(block(ada, high)).toContainText('4 new')
  await expect(ada.getByRole('radio', { name: 'Unread (1)' })).toBeVisible()

  // Two of the new replies are not shown yet, so the thread stays unread until they are.
  await block(ada, high).getByRole('button', { name: 'Show 2 more replies' }).click()
  await expect(replies(ada, high)).toHaveText([high, ...[1, 2, 3, 4].map((n) => `answer ${n} to the high`)])
  await expect(block(ada, high).getByRole('button', { name: /more repl/ })).toHaveCount(0)
  await expect(link(ada)).not.toContainText('with new replies')
  await expect(ada.getByRole('radio', { name: 'Unread', exact: true })).toBeVisible()

  // A reply appears while Ada writes, above and in her thread: her field stays where it is.
  await write(ada, 'the middle question', 'half a tho')
  await settled(ada)
  const before = await box(ada, 'the middle question').boundingBox()
  await replyTo(bob, ids['high'] as string, 'one more above')
  await replyTo(bob, ids['middle'] as string, 'and one *here* @ada')
  await expect(replies(ada, high).last()).toHaveText('one more above')
  await expect(replies(ada, 'the middle question').last()).toHaveText(/^and one here/)
  const y = async () => (await box(ada, 'the middle question').boundingBox())?.y ?? 0
  await expect.poll(async () => Math.abs((await y()) - (before?.y ?? 0))).toBeLessThan(1)
  await ada.keyboard.type('ught')
  await expect(box(ada, 'the middle question')).toHaveValue('half a thought')
  expect((await heads(ada)).filter((text) => text.startsWith('the '))).toEqual(
    ['high', 'middle', 'lower middle', 'low', 'lowest'].map((name) => `the ${name} question`),
  )
  await ada.reload()
  await expect(box(ada, 'the middle question')).toHaveValue('half a thought')
  await box(ada, 'the middle question').press('Enter')
  await expect(replies(ada, 'the middle question').last()).toHaveText('half a thought')
  await expect(box(ada, 'the middle question')).toHaveValue('')
  await box(ada, 'the middle question').press('ArrowUp')
  await expect(ada.getByRole('textbox', { name: 'Edit message' })).toHaveCount(0)
  await openThread(bob, 'the middle question')
  await expect(inThread(bob, 'half a thought')).toBeVisible()

  // The thread's summary line links to it.
  await block(ada, high)
    .getByRole('link', { name: /5 replies/ })
    .click()
  await expect(panel(ada)).toContainText('one more above')
})

test('a reply that is refused returns to its field, and one written offline waits there and can be edited', {
  tag: '@long',
}, async ({ person, network }) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  const bob = await person('Bob Kahn')
  const channelId = await createSharedChannel(ada, bob)
  const id = await send(ada, channelId, 'who is there')
  await replyTo(bob, id, 'me')
  await link(ada).click()
  await ada.route('**/api/threads/messages', (route) =>
    route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'Not now' } } }),
  )
  await write(ada, 'who is there', 'unwelcome')
  await ada.keyboard.press('Enter')
  await expect(block(ada, 'who is there').getByRole('alert')).toHaveText('Failed to create thread message: not now')
  await expect(box(ada, 'who is there')).toHaveValue('unwelcome')
  await ada.unroute('**/api/threads/messages')
  await box(ada, 'who is there').fill('in the dark')
  await untilPreloaded(ada, 'preloaded')
  network.cut()
  await ada.context().setOffline(true)
  await box(ada, 'who is there').press('Enter')
  await expect(block(ada, 'who is there')).toContainText('Waiting to send: no connection')
  await block(ada, 'who is there').getByRole('button', { name: 'Edit' }).click()
  await expect(box(ada, 'who is there')).toBeFocused()
  await expect(box(ada, 'who is there')).toHaveValue('in the dark')
  await box(ada, 'who is there').press('Enter')
  await expect(block(ada, 'who is there')).toContainText('Waiting to send: no connection')
  await replyTo(bob, id, 'said meanwhile')
  network.restore()
  await ada.context().setOffline(false)
  await expect(replies(ada, 'who is there')).toHaveText(['who is there', 'me', 'said meanwhile', 'in the dark'], {
    timeout: 90_000,
  })
  await expect(block(ada, 'who is there')).not.toContainText('Waiting to send')
  // A removed member no longer sees the thread.
  await link(bob).click()
  await expect(block(bob, 'who is there')).toBeVisible()
  await removeMember(ada, bob, channelId)
  await expect(bob.getByText('No threads yet')).toBeVisible()
})

test('all threads are marked as read, and again as unread; the unread ones have a list, where one stays while it is answered', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const channelId = await createSharedChannel(ada, bob)
  for (const name of ['first', 'second']) {
    const id = await send(ada, channelId, `${name} of two`)
    for (const n of [1, 2, 3]) await replyTo(bob, id, `${name} answer ${n}`)
  }
  const read = await send(ada, channelId, 'third, read')
  await replyTo(ada, read, 'by myself')
  await expect(link(ada)).toContainText('2 with new replies')
  await link(ada).click()
  await expect(list(ada).getByRole('listitem')).toHaveCount(3)
  await ada.getByText('Unread (2)').click()
  await expect(ada).toHaveURL(/show=unread/)
  await expect(list(ada).getByRole('listitem')).toHaveCount(2)
  await ada.getByRole('button', { name: 'Mark all as read' }).click()
  const undo = await undoButton(ada, 'Marked 2 threads as read')
  await expect(link(ada)).not.toContainText('with new replies')
  // They stay until the list is opened again.
  await expect(list(ada).getByRole('listitem')).toHaveCount(2)
  await ada.getByText('All', { exact: true }).click()
  await expect(list(ada).getByRole('listitem')).toHaveCount(3)
  await ada.getByText('Unread', { exact: true }).click()
  await expect(ada.getByText('No unread threads')).toBeVisible()
  await undo.click()
  await expect(link(ada)).toContainText('2 with new replies')
  await expect(list(ada).getByRole('listitem')).toHaveCount(2)

  // A thread that becomes unread stays in the list while it is read and answered.
  await ada.goto('/threads?show=unread')
  await expect(list(ada).getByRole('listitem')).toHaveCount(2)
  await ada.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(link(ada)).not.toContainText('with new replies')
  await replyTo(bob, read, 'a late answer')
  await expect(replies(ada, 'third, read').last()).toHaveText('a late answer')
  await expect(link(ada)).not.toContainText('with new replies')
  await write(ada, 'third, read', 'thank you')
  await expect(box(ada, 'third, read')).toHaveValue('thank you')

  // Makes two choices before the page has followed the first.
  const chooseBoth = (radios: Element[]) => radios.map((radio) => (radio as HTMLElement).click())
  await ada.getByRole('group', { name: 'Threads shown' }).getByRole('radio').evaluateAll(chooseBoth)
  await expect(ada.getByRole('radio', { name: 'Unread' })).toBeChecked()
  await expect(ada).toHaveURL(/show=unread/)
})
