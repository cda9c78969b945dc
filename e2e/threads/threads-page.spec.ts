import type { Page, Route } from '@playwright/test'
import { callApi, createChannel, expect, invite, removeMember, test, uniqueName } from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { recordTexts, textsRecorded } from '../support/recorded.ts'
import { settled } from '../support/settled.ts'
import { undoButton } from '../support/sidebar.ts'
import { createSharedChannel, inThread, openThread, panel } from '../support/threads.ts'

const LATE_MS = 1000
/** What says what became of a thread. */
const NOTE = '[role=alert]'

const list = (page: Page) => page.getByRole('region', { name: 'My threads' })
/** The thread that begins with a text. */
const block = (page: Page, text: string) => list(page).getByRole('listitem').filter({ hasText: text })
const replies = (page: Page, text: string) => block(page, text).getByRole('article').locator('.prose')
const box = (page: Page, text: string) => block(page, text).getByPlaceholder('Reply to thread...')
const link = (page: Page) => page.getByRole('link', { name: /^Threads/ })
const heads = (page: Page) => list(page).getByRole('listitem').getByRole('article').locator('.prose').allInnerTexts()
const replyTo = (page: Page, parentMessageId: string, content: string) =>
  callApi(page, 'POST', '/api/threads/messages', { parentMessageId, content })

async function send(page: Page, channelId: string, content: string): Promise<string> {
  return (await callApi(page, 'POST', '/api/messages', { channelId, content })).id
}

/** Starts to write a reply on the page of threads. */
async function write(page: Page, thread: string, text: string) {
  await block(page, thread).getByRole('button', { name: 'Reply to thread...' }).click()
  await expect(box(page, thread)).toBeFocused()
  await page.keyboard.type(text)
}

test('threads are read and answered on their own page, live, and nothing moves under the hands', async ({ person }) => {
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

  // The line of the thread leads to it.
  await block(ada, high)
    .getByRole('link', { name: /5 replies/ })
    .click()
  await expect(panel(ada)).toContainText('one more above')
})

test('a reply that is refused returns to its field, and one written offline waits there and can be edited', async ({
  person,
  network,
}) => {
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
  // A removed member sees the thread no more.
  await link(bob).click()
  await expect(block(bob, 'who is there')).toBeVisible()
  await removeMember(ada, bob, channelId)
  await expect(bob.getByText('No threads yet')).toBeVisible()
})

test('all threads are marked as read, and again as unread; the unread ones have a list, where one stays while it is answered', async ({
  person,
}) => {
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
  const undo = await undoButton(ada, 'Marked as read: 2 threads')
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

  // One that comes to the unread ones stays while it is read and answered.
  await ada.goto('/threads?show=unread')
  await expect(list(ada).getByRole('listitem')).toHaveCount(2)
  await ada.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(link(ada)).not.toContainText('with new replies')
  await replyTo(bob, read, 'a late answer')
  await expect(replies(ada, 'third, read').last()).toHaveText('a late answer')
  await expect(link(ada)).not.toContainText('with new replies')
  await write(ada, 'third, read', 'thank you')
  await expect(box(ada, 'third, read')).toHaveValue('thank you')

  // Two choices before the page has followed the first.
  const chooseBoth = (radios: Element[]) => radios.map((radio) => (radio as HTMLElement).click())
  await ada.getByRole('group', { name: 'Threads shown' }).getByRole('radio').evaluateAll(chooseBoth)
  await expect(ada.getByRole('radio', { name: 'Unread' })).toBeChecked()
  await expect(ada).toHaveURL(/show=unread/)
})

test('a thread that ends, or that I unfollow elsewhere, stays while I write in it, and loses no key', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const channelId = await createSharedChannel(ada, bob)
  const other = await createSharedChannel(ada, bob)
  const threads: string[] = []
  for (const [place, text] of [
    [channelId, 'which will end'],
    [other, 'which will be unfollowed'],
    [other, 'which goes on'],
  ] as const) {
    threads.push(await send(bob, place, text))
    await replyTo(bob, threads.at(-1) as string, 'a first answer')
  }
  await bob.goto('/threads')
  await write(bob, 'which will end', 'half a tho')
  await callApi(ada, 'DELETE', `/api/channels/${channelId}`)
  await expect(list(bob).getByRole('alert')).toContainText('was deleted, or you are no longer in it')
  await bob.keyboard.type('ught')
  await bob.keyboard.press('Enter')
  const field = list(bob).getByPlaceholder('Reply to thread...')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('half a thought')
  await expect(list(bob).getByText('a first answer')).toHaveCount(2)
  await expect(list(bob).getByRole('button', { name: 'Attach files' })).toHaveCount(0)
  await list(bob).getByRole('alert').getByRole('link', { name: 'Drafts' }).click()
  await expect(bob.getByRole('main').getByRole('listitem')).toContainText('half a thought')

  await link(bob).click()
  await expect(list(bob).getByRole('listitem')).toHaveCount(2)
  await write(bob, 'which will be unfollowed', 'still ')
  const tab = await bob.context().newPage()
  await tab.goto(`/channels/${other}`)
  await openThread(tab, 'which will be unfollowed')
  await panel(tab).getByRole('button', { name: 'Following' }).click()
  await expect(panel(tab).getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
  await expect(block(bob, 'which will be unfollowed')).toContainText('You no longer follow this thread.')
  await bob.bringToFront()
  await bob.keyboard.type('here')
  await expect(box(bob, 'which will be unfollowed')).toHaveValue('still here')
  await box(bob, 'which will be unfollowed').press('Enter')
  await expect(replies(bob, 'which will be unfollowed').last()).toHaveText('still here')
  // Whoever replies follows again.
  await expect(block(bob, 'which will be unfollowed')).not.toContainText('You no longer follow')

  // Enter twice follows it again, and does no more.
  await block(bob, 'which goes on').getByRole('link').first().focus()
  await callApi(bob, 'DELETE', `/api/threads/${threads.at(-1)}/follow`)
  await block(bob, 'which goes on').getByRole('button', { name: 'Follow', exact: true }).focus()
  await bob.keyboard.press('Enter')
  await bob.keyboard.press('Enter')
  await expect(block(bob, 'which goes on')).not.toContainText('You no longer follow')
  await expect(block(bob, 'which goes on')).toBeFocused()

  // Nothing that a key presses takes over the focus.
  await block(bob, 'which goes on').getByRole('link').first().focus()
  await callApi(ada, 'DELETE', `/api/channels/${other}`)
  await expect(list(bob).getByRole('alert')).toContainText('was deleted')
  await expect(list(bob)).toBeFocused()
})

test('an archived channel has no reply fields, and what is being written there stays and says why', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const channelId = await createSharedChannel(ada, bob)
  for (const text of ['which is answered', 'which is only read'])
    await replyTo(bob, await send(bob, channelId, text), 'a first answer')
  await bob.goto('/threads')
  await write(bob, 'which is answered', 'half a tho')
  await callApi(ada, 'PUT', `/api/channels/${channelId}/archive`)
  await expect(block(bob, 'which is answered').getByRole('alert')).toContainText('This channel is archived')
  await expect(block(bob, 'which is only read').getByText('Reply to thread...')).toHaveCount(0)
  await bob.keyboard.type('ught')
  await bob.keyboard.press('Enter')
  await expect(box(bob, 'which is answered')).toHaveValue('half a thought')
  await expect(box(bob, 'which is answered')).toBeFocused()
  await callApi(ada, 'DELETE', `/api/channels/${channelId}/archive`)
  await expect(block(bob, 'which is answered').getByRole('alert')).toHaveCount(0)
  await bob.keyboard.press('Enter')
  await expect(replies(bob, 'which is answered').last()).toHaveText('half a thought')
})

/** Answers requests late, so that others are answered first. */
const later = async (route: Route) => {
  await new Promise((resolve) => setTimeout(resolve, LATE_MS))
  await route.continue()
}

test('a member removed while they write a reply reads why, and nothing else before that', async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { open: false })
  const channelId = await createChannel(ada, uniqueName('secret'), { isPrivate: true })
  await invite(ada, bob, channelId)
  await replyTo(ada, await send(bob, channelId, 'where it ends'), 'a first answer')
  await bob.goto('/threads')
  await write(bob, 'where it ends', 'half a thought')
  const expectNotes = await recordTexts(bob, NOTE)
  await bob.route(`**/api/channels/${channelId}`, later)
  await removeMember(ada, bob, channelId)
  await expectNotes('you are no longer in it')
  const notes = (await textsRecorded(bob, NOTE)).filter((text) => text !== '')
  for (const note of notes) expect(note).toContain('you are no longer in it')
  await expect(box(bob, 'no longer in it')).toHaveValue('half a thought')
})

test('a thread that I follow again from its row is followed at once', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { open: false })
  const parent = await send(bob, await createSharedChannel(ada, bob), 'followed again')
  await replyTo(ada, parent, 'a first answer')
  await bob.goto('/threads')
  await write(bob, 'followed again', 'half a thought')
  await callApi(bob, 'DELETE', `/api/threads/${parent}/follow`)
  await expect(list(bob).getByRole('alert')).toContainText('You no longer follow this thread.')
  await recordTexts(bob, NOTE)
  await bob.route('**/follow', later)
  const answer = bob.waitForResponse('**/follow')
  await list(bob).getByRole('button', { name: 'Follow', exact: true }).click()
  await expect(list(bob).getByRole('alert')).toHaveCount(0)
  await answer
  for (const note of await textsRecorded(bob, NOTE)) expect(note).not.toContain('Following')
  await expect(box(bob, 'followed again')).toHaveValue('half a thought')
})
