import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  openGeneral,
  say,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { leave } from '../support/live.ts'
import { toast } from '../support/message-rows.ts'
import { keepNothing } from '../support/settings.ts'
import { chooseChannelAction, joinChannel, row } from '../support/sidebar.ts'

test('unread messages make a row bold, mentions are counted, and opening the channel clears both', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = uniqueName('busy')
  await createChannel(ada, name)
  await joinChannel(bob, name)
  await row(bob, 'general').click()
  await expect(bob.getByRole('heading', { name: 'general' })).toBeVisible()
  const weight = () => row(bob, name).evaluate((link) => Number(getComputedStyle(link).fontWeight))
  await bob.mouse.move(900, 400)
  await expect.poll(weight).toBe(400)
  await say(ada, 'anybody?')
  await expect.poll(weight).toBe(600)
  await expect(row(bob, name).getByTitle('2 members')).toBeVisible()
  const { username } = await userOn(bob)
  for (const nth of [1, 2]) await say(ada, `@${username} call ${nth}`)
  await expect(row(bob, name)).toContainText('2 mentions')
  await expect(row(bob, name).getByTitle('2 members')).toHaveCount(0)
  await bob.reload()
  await expect(row(bob, name)).toContainText('2 mentions')
  await row(bob, name).click()
  await expect(row(bob, name).getByTitle('2 members')).toBeVisible()
  await openGeneral(bob)
  await expect.poll(weight).toBe(400)
})

test('a muted channel stays quiet on all my devices until it is unmuted', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = uniqueName('noisy')
  await createChannel(ada, name)
  await joinChannel(bob, name)
  const other = await bob.context().newPage()
  await other.goto('/')
  await openGeneral(other)
  await chooseChannelAction(bob, name, 'Mute')
  await expect(row(bob, name).getByLabel('Muted')).toBeVisible()
  await expect(row(other, name).getByLabel('Muted')).toBeVisible()
  await openGeneral(bob)
  await say(ada, 'psst')
  await expect(row(bob, name)).not.toContainText('unread')
  await chooseChannelAction(other, name, 'Unmute')
  await expect(row(bob, name).getByLabel('Muted')).toHaveCount(0)
  await expect(row(bob, name)).toContainText('unread')
})

test('muting shows before the server answers, and is reverted with a reason if it fails', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('shown')
  await createChannel(ada, name)
  const requested = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  await ada.route('**/mute', async (route) => {
    requested.resolve()
    await answer.promise
    await route.fulfill({ status: 503, json: { error: { code: 'unavailable' } } })
  })
  await chooseChannelAction(ada, name, 'Mute')
  await requested.promise
  await expect(row(ada, name).getByLabel('Muted')).toBeVisible()
  answer.resolve()
  await expect(toast(ada, 'Failed to mute channel')).toHaveCount(1)
  await expect(row(ada, name).getByLabel('Muted')).toHaveCount(0)
})

test('after muting and unmuting on a slow connection, the last choice holds, and nothing else shows in between', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('undecided')
  const id = await createChannel(ada, name)
  const requests: string[] = []
  const muting = Promise.withResolvers<void>()
  const unmuting = Promise.withResolvers<void>()
  await ada.route('**/mute', async (route) => {
    const method = route.request().method()
    requests.push(method)
    await (method === 'PUT' ? muting : unmuting).promise
    await route.continue()
  })
  const isMuted = async () => (await callApi(ada, 'GET', `/api/channels/${id}`)).muted
  await chooseChannelAction(ada, name, 'Mute')
  await chooseChannelAction(ada, name, 'Unmute')
  await expect(row(ada, name).getByLabel('Muted')).toHaveCount(0)
  // Requests on two connections may overtake each other.
  await expect.poll(() => requests).toEqual(['PUT'])
  muting.resolve()
  await expect.poll(() => requests).toEqual(['PUT', 'DELETE'])
  expect(await isMuted()).toBe(true)
  // A later event on the same socket: the one that says 'muted' has arrived before.
  const other = uniqueName('later')
  await callApi(ada, 'POST', '/api/channels', { name: other })
  await expect(row(ada, other)).toBeVisible()
  await expect(row(ada, name).getByLabel('Muted')).toHaveCount(0)
  unmuting.resolve()
  await expect.poll(isMuted).toBe(false)
  await expect(row(ada, name).getByLabel('Muted')).toHaveCount(0)
})

test('the menu works by keyboard and restores the focus; on touch it is in the open row and the header', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('keys')
  await createChannel(ada, name)
  const dots = ada.getByRole('button', { name: `Actions for ${name}` })
  await row(ada, name).focus()
  await ada.keyboard.press('Tab')
  await expect(dots).toBeFocused()
  await expect(dots).toHaveCSS('opacity', '1')
  await ada.keyboard.press('Enter')
  await expect(ada.getByRole('menu')).toBeFocused()
  await ada.keyboard.press('ArrowDown')
  await expect(ada.getByRole('menuitem', { name: 'Members' })).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(dots).toBeFocused()
  await ada.keyboard.press('Enter')
  await expect(ada.getByRole('menu')).toBeFocused()
  await ada.keyboard.press('ArrowUp')
  await expect(ada.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await ada.keyboard.press('Enter')
  await expect(ada.getByRole('dialog', { name: 'Delete Channel' })).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(dots).toBeFocused()

  const eve = await person('Eve Adams', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await eve.getByRole('heading', { name: 'general' }).getByRole('button').tap()
  await eve.getByRole('menuitem', { name: 'Members' }).tap()
  await expect(eve.getByRole('dialog', { name: 'Members in #general' })).toBeVisible()
  await eve.getByRole('button', { name: 'Close', exact: true }).tap()
  await eve.getByRole('button', { name: 'Show channels' }).tap()
  await eve.getByRole('button', { name: 'Actions for general' }).tap()
  await expect(eve.getByRole('menuitem', { name: 'Mute' })).toBeVisible()
})

test('long and right-to-left names do not break the sidebar; sixty channels scroll', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const stem = uniqueName('zz')
  const long = `${stem}-${'long'.repeat(20)}`.slice(0, 80)
  const right = `مرحبا-بالجميع-${Date.now()}`
  for (const name of [long, right]) await callApi(ada, 'POST', '/api/channels', { name })
  for (let nth = 0; nth < 60; nth++) await callApi(ada, 'POST', '/api/channels', { name: `${stem}-${nth}` })
  const sidebar = ada.getByRole('navigation', { name: 'Conversations' })
  await expect(row(ada, `${stem}-59`)).toHaveCount(1)
  for (const name of [long, right]) {
    const box = await row(ada, name).boundingBox()
    expect(box?.width).toBeLessThanOrEqual(288)
    await expect(row(ada, name).getByTitle('1 member')).toBeVisible()
  }
  expect(await sidebar.evaluate((it) => it.scrollWidth <= it.clientWidth && it.scrollHeight > it.clientHeight)).toBe(
    true,
  )
  await row(ada, `${stem}-59`).click()
  await expect(ada.getByRole('heading', { name: `${stem}-59` })).toBeVisible()
  await row(ada, long).click()
  await expect(ada.getByRole('button', { name: 'Members 1' })).toBeVisible()
  const header = await ada.getByRole('main').locator('header').first().boundingBox()
  expect(header?.height).toBe(48)
  for (const { id, name } of (await callApi(ada, 'GET', '/api/channels?limit=100')).channels)
    if (name.startsWith(stem) || name === right) await callApi(ada, 'DELETE', `/api/channels/${id}`)
})

test('channels that fail to load say so and can be retried', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await ada.route('**/api/channels?**', (route) =>
    route.fulfill({ status: 403, json: { error: { code: 'forbidden' } } }),
  )
  // With a live connection, the page would refetch by itself.
  await ada.route('**/socket.io/**', (route) => route.abort())
  await ada.reload()
  for (const name of ['CHANNELS', 'DIRECT MESSAGES'])
    await expect(ada.getByRole('region', { name }).getByRole('alert')).toContainText('Failed to load channels')
  await ada.unroute('**/api/channels?**')
  await ada.getByRole('region', { name: 'DIRECT MESSAGES' }).getByRole('button', { name: 'Try again' }).click()
  await expect(row(ada, 'general')).toBeVisible()
  await expect(ada.getByRole('navigation').getByRole('alert')).toHaveCount(0)
})

test('a channel subscription that is not confirmed within five seconds is logged and shown', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('silent')
  await createChannel(ada, name)
  const comeBack = await leave(ada)
  let isUpgraded = false
  await ada.routeWebSocket(/socket\.io/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((text) => {
      // Engine.IO's "upgrade" packet: nothing is sent by polling from here on.
      if (text === '5') isUpgraded = true
      if (!/"channel:(join|leave)"/.test(String(text))) server.send(text)
    })
  })
  await comeBack()
  await expect(composer(ada)).toBeVisible()
  await expect.poll(() => isUpgraded).toBe(true)
  const logged: string[] = []
  ada.on('console', (line) => logged.push(line.text()))
  await row(ada, 'general').click()
  // The first channel's own subscription may go unanswered, too.
  await expect(toast(ada, 'Channel join timeout').first()).toBeVisible()
  const timeouts = () => new Set(logged.flatMap((line) => line.match(/Channel (?:join|leave) timeout/) ?? []))
  await expect.poll(() => timeouts().size).toBe(2)
  await expect(toast(ada, 'Channel leave timeout').first()).toBeVisible()
})

test('the menu and the dialogs are accessible', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('access')
  await createChannel(ada, name, { isPrivate: true })
  await row(ada, name).hover()
  await ada.getByRole('button', { name: `Actions for ${name}` }).click()
  await expectAccessible(ada, 'menu')
  await ada.getByRole('menuitem', { name: 'Edit channel' }).click()
  await expectAccessible(ada, 'edit')
  await ada.keyboard.press('Escape')
  await chooseChannelAction(ada, name, 'Delete')
  await expectAccessible(ada, 'delete')
  await ada.keyboard.press('Escape')
  await ada.getByRole('button', { name: 'Create channel' }).click()
  await expectAccessible(ada, 'create')
})
