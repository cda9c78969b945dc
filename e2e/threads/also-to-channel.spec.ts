import { callApi, channelIdOn, composer, expect, messageTexts, say, test } from '../support/fixtures.ts'
import { toast } from '../support/message-rows.ts'
import { conversation, createSharedChannel, openThread, panel, replyBox, replyTexts } from '../support/threads.ts'

test('a reply is also sent to the channel, where it follows its changes and opens the thread', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'Where do we meet?')
  await openThread(bob, 'Where do we')
  await replyBox(bob).fill('In the garden')
  await panel(bob)
    .getByRole('checkbox', { name: /^Also send to #/ })
    .check()
  await replyBox(bob).press('Enter')
  const quote = conversation(ada).getByRole('article').filter({ hasText: 'in a thread' })
  await expect(quote).toContainText('In the garden')
  await expect(quote).toContainText('Bob Kahn')
  // It is chosen for each reply.
  await expect(panel(bob).getByRole('checkbox', { name: /^Also send to #/ })).not.toBeChecked()
  await replyBox(bob).fill('At noon')
  await replyBox(bob).press('Enter')
  await expect.poll(() => replyTexts(bob)).toEqual(['Where do we meet?', 'In the garden', 'At noon'])

  await quote.getByRole('link', { name: /^Show message/ }).click()
  await expect(panel(ada)).toContainText('At noon')
  const parent = await conversation(ada).getByRole('article').first().getAttribute('data-message')
  const [, reply] = await callApi(bob, 'GET', `/api/threads/${parent}/messages`)
  await callApi(bob, 'PUT', `/api/threads/messages/${reply.id}`, { content: 'In the park' })
  await expect(quote).toContainText('In the park')
})

test('a reply that was written offline is also sent to the channel once the connection is back', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createSharedChannel(ada)
  await say(ada, 'the plan')
  await openThread(ada, 'the plan')
  await panel(ada)
    .getByRole('checkbox', { name: /^Also send to #/ })
    .check()
  await ada.context().setOffline(true)
  await replyBox(ada).fill('from the train')
  await replyBox(ada).press('Enter')
  await expect(replyBox(ada)).toHaveValue('')
  await ada.context().setOffline(false)
  await expect(conversation(ada).locator('[data-quoted]')).toContainText('from the train', { timeout: 60_000 })
  await expect(toast(ada, 'not sent')).toHaveCount(0)
  expect(await callApi(ada, 'GET', `/api/messages/channel/${channelIdOn(ada)}`)).toHaveLength(2)
  await expect(composer(ada)).toHaveValue('')
  expect(await messageTexts(ada)).not.toEqual([])
})

test('a choice that is no longer offered does not keep a reply from being sent', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const id = await createSharedChannel(ada, bob)
  await say(ada, 'the plan')
  await openThread(bob, 'the plan')
  const also = panel(bob).getByRole('checkbox', { name: /^Also send to #/ })
  await replyBox(bob).fill('an answer')
  await also.check()
  await bob.reload()
  await expect(replyBox(bob)).toHaveValue('an answer')
  await expect(also).toBeChecked()
  await callApi(ada, 'PATCH', `/api/channels/${id}`, { posting: 'admins', areRepliesOpen: true })
  await expect(also).toHaveCount(0)
  await replyBox(bob).press('Enter')
  await expect.poll(() => replyTexts(bob)).toEqual(['the plan', 'an answer'])
  await expect(toast(bob, 'can’t post')).toHaveCount(0)
  expect(await callApi(ada, 'GET', `/api/messages/channel/${id}`)).toHaveLength(1)
})
