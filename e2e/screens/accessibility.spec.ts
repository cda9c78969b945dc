import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  say,
  sendMessages,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { keepNothing, openSettings } from '../support/settings.ts'
import { createSharedChannel, inThread, openThread, panel, reply } from '../support/threads.ts'

test('the conversation, the thread, the thread list and their overlays are accessible', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const { username } = await userOn(ada)
  const bob = await person('Bob Kahn', { open: false })
  await createSharedChannel(ada, bob)
  await say(ada, 'a **talk** with `code`')
  await sendMessages(bob, [`for @${username}`], ada.url())
  await expect(message(ada, 'for @')).toBeVisible()
  await openThread(ada, 'a talk')
  await reply(ada, 'beside it')
  await expect(inThread(ada, 'beside it').and(ada.locator('[data-message]'))).toBeVisible()
  await composer(ada).fill('half a thought')
  await expectAccessible(ada, 'conversation and thread')
  await ada.keyboard.press('ControlOrMeta+/')
  await expect(ada.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessible(ada, 'keys')
  await ada.keyboard.press('Escape')
  await panel(ada).getByRole('button', { name: 'Close thread' }).click()
  await ada.getByRole('link', { name: 'Threads', exact: true }).click()
  await expect(ada.getByRole('region', { name: 'My threads' })).toContainText('1 reply')
  await expectAccessible(ada, 'threads')
})

test('the forms, the empty states, the settings, the phone layout and its drawer are accessible', {
  tag: '@long',
}, async ({ page, person }) => {
  for (const path of ['/sign-in', '/sign-up']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page, path)
  }
  const ada = await person('Ada Lovelace')
  await ada.getByRole('link', { name: 'Threads', exact: true }).click()
  await expect(ada.getByText('No threads yet')).toBeVisible()
  await expectAccessible(ada, 'no threads')
  await createSharedChannel(ada)
  await openSettings(ada, 'Devices')
  await expect(ada.getByText('This device', { exact: true })).toBeVisible()
  await expectAccessible(ada, 'settings')
  await ada.keyboard.press('Escape')
  await ada.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(ada, 'phone, empty channel')
  await ada.getByRole('button', { name: 'Show channels' }).click()
  await expectAccessible(ada, 'drawer')
})

test('errors, missing pages and waiting states are accessible', { tag: '@long' }, async ({ person, network }) => {
  const bob = await person('Bob Kahn', { open: false })
  const name = uniqueName('open')
  const channelId = await createChannel(bob, name)
  await callApi(bob, 'POST', '/api/messages', { channelId, content: 'come in' })
  const ada = await person('Ada Lovelace', { address: network.address })
  await keepNothing(ada)

  await ada.goto(`/channels/${channelId}`)
  await expect(message(ada, 'come in')).toBeVisible()
  await expectAccessible(ada, 'a channel before joining')
  await ada.getByRole('button', { name: 'Join channel' }).click()
  await expect(composer(ada)).toBeVisible()

  await ada.route('**/api/messages', (route) =>
    route.fulfill({ status: 400, json: { error: { code: 'invalid', message: 'That cannot be said here' } } }),
  )
  await say(ada, 'refused')
  await expect(ada.getByText('That cannot be said here')).toBeVisible()
  await expectAccessible(ada, 'a refused message')
  await ada.unroute('**/api/messages')

  await untilPreloaded(ada, 'preloaded')
  network.cut()
  await ada.context().setOffline(true)
  await composer(ada).fill('written in the dark')
  await composer(ada).press('Enter')
  await expect(message(ada, 'written in the dark')).toContainText('Waiting to send')
  await expect(ada.getByText("You're offline")).toBeVisible()
  await expectAccessible(ada, 'without a network')
  await ada.getByRole('button', { name: 'Sign Out' }).click()
  await expect(ada.getByRole('dialog', { name: 'Sign Out' })).toBeVisible()
  await expectAccessible(ada, 'a question before what cannot be taken back')
  await ada.getByRole('button', { name: 'Cancel' }).click()
  network.restore()
  await ada.context().setOffline(false)
  await expect(message(ada, 'Waiting to send')).toHaveCount(0)

  await ada.route('**/api/messages/channel/**', (route) => route.abort())
  await ada.goto(`/channels/${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`)
  await expect(ada.getByText('Channel not found')).toBeVisible()
  await expectAccessible(ada, 'no such channel')
  await ada.getByRole('link', { name: new RegExp(`^${name}`) }).click()
  await expect(ada.getByText('Failed to load messages')).toBeVisible()
  await expectAccessible(ada, 'messages that cannot be loaded')
})
