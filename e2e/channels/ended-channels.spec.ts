import type { Page } from '@playwright/test'
import {
  callApi,
  channelIdOn,
  composer,
  createChannel,
  createPrivateChannel,
  expect,
  invite,
  message,
  openGeneral,
  openTab,
  removeMember,
  say,
  storedTexts,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { clickAction, toast } from '../support/message-rows.ts'
import { keepNothing } from '../support/settings.ts'
import { chooseChannelAction, goTo, joinChannel, row, undoButton } from '../support/sidebar.ts'
import { openThread, replyBox } from '../support/threads.ts'

const kept = (page: Page) => page.getByRole('main').getByRole('list', { name: 'Not sent' }).getByRole('listitem')
const ended = (page: Page, title: string) => page.getByRole('main').getByRole('heading', { name: title })

test('a member removed while typing keeps the page and the text, which goes nowhere else until they are back', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const generalId = channelIdOn(bob)
  const before = await storedTexts(bob, generalId)
  const name = uniqueName('secret')
  const channelId = await createPrivateChannel(ada, bob, name)
  await composer(bob).focus()
  await bob.keyboard.type('The list of people who must go by the end of this ')
  await removeMember(ada, bob, channelId)
  await expect(ended(bob, `You are no longer in #${name}`)).toBeVisible()
  await bob.keyboard.type('day, and it begins with team blue')
  await bob.keyboard.press('Enter')
  await expect(bob).toHaveURL(new RegExp(channelId))
  await expect(bob.getByRole('textbox', { name: 'Message' })).toHaveCount(0)
  await expect(kept(bob)).toHaveCount(1)
  await expect(kept(bob)).toContainText('The list of people who must go by the end of this')
  await expect(bob.getByRole('main').getByRole('status').filter({ hasText: 'no longer in' })).toBeVisible()
  expect(await storedTexts(bob, generalId)).toEqual(before)

  await invite(ada, bob, channelId)
  const back = bob.getByRole('button', { name: `Open #${name}` })
  await expect(back).toBeVisible()
  await bob.keyboard.type('nobody listens')
  await expect(composer(bob)).toHaveCount(0)
  await back.click()
  await expect(composer(bob)).toHaveValue(/^The list of people who must go by the end of this\s*$/)
  // A dialog of the channel closes with it, and the focus stays on the page.
  await bob.getByRole('button', { name: 'Members' }).click()
  await expect(bob.getByRole('dialog', { name: 'Members' })).toBeVisible()
  await removeMember(ada, bob, channelId)
  await expect(ended(bob, `You are no longer in #${name}`)).toBeVisible()
  await expect(bob.getByRole('main')).toBeFocused()
  await openGeneral(bob)
  await expect(composer(bob)).toHaveValue('')
  expect(await storedTexts(bob, generalId)).toEqual(before)
})

test('a deleted channel closes for everybody; unsent text, a reply and an edit can be copied and discarded', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const eve = await person('Eve Adams')
  // Otherwise the next page may still show the cached channel for a moment.
  await keepNothing(bob)
  const errors: string[] = []
  for (const page of [ada, bob, eve]) page.on('pageerror', (error) => errors.push(String(error)))
  const name = uniqueName('doomed')
  await createChannel(ada, name)
  await joinChannel(bob, name)
  await row(eve, name).click()
  await expect(eve.getByText("You're previewing")).toBeVisible()
  await say(bob, 'what I said')
  await say(ada, 'a question')
  await expect(message(bob, 'a question')).toBeVisible()
  await clickAction(bob, 'what I said', 'Edit message')
  await bob.getByRole('textbox', { name: 'Edit message' }).fill('what I meant')
  await composer(bob).fill('half a thought')
  const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('bytes') }
  await bob.getByLabel('Files to attach').setInputFiles(file)
  await expect(bob.getByRole('list', { name: 'Attached files' })).toContainText('5 B')
  await openThread(bob, 'a question')
  await replyBox(bob).focus()
  await bob.keyboard.type('half an answer')

  // Ada, who deletes it, moves to another channel; the others see a notice and leave when they like.
  await chooseChannelAction(ada, name, 'Delete')
  await ada.getByRole('button', { name: 'Delete Channel' }).click()
  await expect(toast(ada, `#${name} was deleted`)).toHaveCount(1)
  await expect(ended(eve, `#${name} was deleted`)).toBeVisible()
  await eve.getByRole('link', { name: 'Go to #general' }).click()
  for (const page of [ada, eve]) {
    await expect(page.getByRole('heading', { name: 'general' })).toBeVisible()
    await expect(row(page, name)).toHaveCount(0)
    await expect(composer(page)).toBeVisible()
  }
  await eve.goBack()
  await expect(ended(eve, `#${name} was deleted`)).toBeVisible()

  for (const again of [false, true]) {
    if (again) await bob.reload()
    await expect(ended(bob, again ? 'Channel not found' : `#${name} was deleted`)).toBeVisible()
    await expect(composer(bob)).toHaveCount(0)
    await expect(kept(bob)).toHaveCount(3)
    for (const text of ['half a thought', 'half an answer', 'what I meant'])
      await expect(kept(bob).filter({ hasText: text })).toHaveCount(1)
    await expect(kept(bob).filter({ hasText: 'half a thought' })).toContainText('plan.txt')
  }
  await bob.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await kept(bob).filter({ hasText: 'half an answer' }).getByRole('button', { name: 'Copy text' }).click()
  await expect.poll(() => bob.evaluate(() => navigator.clipboard.readText())).toBe('half an answer')
  await kept(bob).filter({ hasText: 'half an answer' }).getByRole('button', { name: 'Discard' }).click()
  const undo = await undoButton(bob, 'Draft discarded')
  await expect(kept(bob)).toHaveCount(2)
  await undo.click()
  await expect(kept(bob)).toHaveCount(3)
  expect(errors).toEqual([])
})

test('a channel made private, or left in another tab, says which it was', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const eve = await person('Eve Adams')
  const name = uniqueName('open')
  const channelId = await createChannel(ada, name)
  await row(eve, name).click()
  await expect(eve.getByText("You're previewing")).toBeVisible()
  await callApi(ada, 'PATCH', `/api/channels/${channelId}`, { isPrivate: true })
  await expect(ended(eve, `#${name} is private now`)).toBeVisible()
  await expect(row(eve, name)).toHaveCount(0)

  await callApi(ada, 'PATCH', `/api/channels/${channelId}`, { isPrivate: false })
  await eve.goto(`/channels/${channelId}`)
  await eve.getByRole('button', { name: 'Join channel' }).click()
  await composer(eve).fill('unsaid')
  const other = await openTab(eve)
  await callApi(eve, 'POST', `/api/channels/${channelId}/leave`)
  for (const page of [eve, other]) {
    await expect(ended(page, `You are no longer in #${name}`)).toBeVisible()
    await expect(kept(page)).toContainText('unsaid')
  }
  // The channel is public: Eve can view it, join it again and find her draft.
  await eve.getByRole('button', { name: `Preview #${name}` }).click()
  await eve.getByRole('button', { name: 'Join channel' }).click()
  await expect(composer(eve)).toHaveValue('unsaid')
})

test('a channel that cannot be joined leads back to the previous one, and typed text goes nowhere', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const closedId = await createChannel(ada, uniqueName('closed'), { isPrivate: true })
  const closed = new URL(`/channels/${closedId}`, bob.url()).href
  await createChannel(bob, uniqueName('before'))
  const before = bob.url()
  await say(bob, `look at ${closed}`)
  const refused = bob.waitForEvent('console', { predicate: (it) => it.text().includes('Channel not found') })
  await message(bob, 'look at').getByRole('link').click()
  await refused
  await expect(bob.getByText('Channel not found. It may be private or deleted.')).toBeVisible()
  await expect(bob).toHaveURL(before)
  await expect(message(bob, 'look at')).toBeVisible()
  await bob.keyboard.type('meant for the other one')
  await bob.keyboard.press('Enter')
  await expect(composer(bob)).toHaveValue('')
  await say(bob, 'and now on purpose')
  await expect(message(bob, 'and now on purpose')).toBeVisible()
  await expect(bob.getByRole('article')).toHaveCount(2)
  await bob.reload()
  await expect(composer(bob)).toBeFocused()

  // After a fresh load, the page offers no way back.
  await bob.goto(closed)
  await expect(ended(bob, 'Channel not found')).toBeVisible()
})

test('a channel that does not answer over the socket can still be read, and offers the way back', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { open: false })
  const silent = uniqueName('silent')
  const silentId = await createChannel(ada, silent)
  await callApi(ada, 'POST', '/api/messages', { channelId: silentId, content: 'anybody here?' })
  let isOverWebSocket = false
  await bob.routeWebSocket(/socket\.io/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((packet) => {
      const text = String(packet)
      // The last step of upgrading from polling to WebSocket.
      if (text === '5') isOverWebSocket = true
      if (!(text.includes('"channel:join"') && text.includes(silentId))) server.send(packet)
    })
  })
  await bob.goto('/')
  await openGeneral(bob)
  await expect.poll(() => isOverWebSocket).toBe(true)
  const before = bob.url()
  await goTo(bob, silent)
  await toast(bob, 'Channel join timeout').getByRole('button', { name: 'Go back' }).click()
  await expect(bob).toHaveURL(before)
  await expect(composer(bob)).toBeFocused()
  await goTo(bob, silent)
  await expect(message(bob, 'anybody here?')).toBeVisible()
  await expect(toast(bob, 'Channel join timeout')).toBeVisible()
  await openGeneral(bob)
  await expect(toast(bob, 'Channel join timeout')).toHaveCount(0)
})
