import type { Route } from '@playwright/test'
import { callApi, createChannel, expect, invite, removeMember, test, uniqueName } from '../support/fixtures.ts'
import { recordTexts, textsRecorded } from '../support/recorded.ts'
import { createSharedChannel, openThread, panel } from '../support/threads.ts'
import { block, box, link, list, replies, replyTo, send, write } from '../support/threads-page.ts'

const LATE_MS = 1000
/** The notice about a thread's fate. */
const NOTE = '[role=alert]'

test('a thread that ends, or that I unfollow elsewhere, stays while I write in it, and loses no key', {
  tag: '@long',
}, async ({ person }) => {
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
  // Replying follows the thread again.
  await expect(block(bob, 'which will be unfollowed')).not.toContainText('You no longer follow')

  // Pressing Enter twice follows it again, and nothing else.
  await block(bob, 'which goes on').getByRole('link').first().focus()
  await callApi(bob, 'DELETE', `/api/threads/${threads.at(-1)}/follow`)
  await block(bob, 'which goes on').getByRole('button', { name: 'Follow', exact: true }).focus()
  await bob.keyboard.press('Enter')
  await bob.keyboard.press('Enter')
  await expect(block(bob, 'which goes on')).not.toContainText('You no longer follow')
  await expect(block(bob, 'which goes on')).toBeFocused()

  // The focus does not move to anything that a key could trigger.
  await block(bob, 'which goes on').getByRole('link').first().focus()
  await callApi(ada, 'DELETE', `/api/channels/${other}`)
  await expect(list(bob).getByRole('alert')).toContainText('was deleted')
  await expect(list(bob)).toBeFocused()
})

test('an archived channel has no reply fields, and what is being written there stays and says why', {
  tag: '@long',
}, async ({ person }) => {
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

test('a member removed while they write a reply reads why, and nothing else before that', { tag: '@long' }, async ({
  person,
}) => {
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
