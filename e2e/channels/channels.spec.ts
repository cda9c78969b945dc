import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  createPrivateChannel,
  expect,
  invite,
  message,
  say,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { toast } from '../support/message-rows.ts'
import { chooseChannelAction, goTo, joinChannel, row } from '../support/sidebar.ts'

test('a public channel is there for everybody to join and leave; a private one shows to its members only', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const [open, secret] = [uniqueName('launch'), uniqueName('founders')]
  const openId = await createChannel(ada, open, { byForm: true })
  await test.step('a new public channel can be previewed at once, and written in after joining', async () => {
    await row(bob, open).click()
    await say(ada, 'come in')
    await expect(message(bob, 'come in')).toBeVisible()
    await expect(composer(bob)).toHaveCount(0)
    await bob.getByRole('button', { name: 'Join channel' }).click()
    await say(bob, 'thank you')
    await expect(message(ada, 'thank you')).toBeVisible()
    await expect(row(ada, open).getByTitle('2 members')).toBeVisible()
    await expect(ada.getByRole('button', { name: 'Members 2' })).toBeVisible()
  })
  await test.step('a private channel shows to whom it invites', async () => {
    const secretId = await createChannel(ada, secret, { isPrivate: true, byForm: true })
    await expect(row(ada, secret)).toContainText('Private')
    const later = uniqueName('later')
    await createChannel(ada, later)
    await expect(row(bob, later)).toBeVisible()
    await expect(bob.getByRole('link', { name: new RegExp(secret) })).toHaveCount(0)
    await invite(ada, bob, secretId)
    await expect(row(bob, secret)).toContainText('Private')
  })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await bob.route(`**/api/channels/${openId}`, async (route) => {
    await released
    await route.continue()
  })
  for (const name of [secret, open])
    await test.step(`leaving ${name === open ? 'the public' : 'the private'} one shows another channel`, async () => {
      await goTo(bob, name)
      await expect(composer(bob)).toBeVisible()
      // The owner cannot leave; other members cannot delete.
      await row(ada, name).hover()
      await ada.getByRole('button', { name: `Actions for ${name}` }).click()
      await expect(ada.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
      await expect(ada.getByRole('menuitem', { name: 'Leave' })).toHaveCount(0)
      await ada.keyboard.press('Escape')
      await chooseChannelAction(bob, name, 'Leave')
      await bob.getByRole('dialog', { name: 'Leave Channel' }).getByRole('button', { name: 'Leave Channel' }).click()
      await expect(toast(bob, `You left #${name}`)).toHaveCount(1)
      await expect(bob.getByRole('heading', { name: 'general' })).toBeVisible()
      await expect(row(ada, name).getByTitle('1 member')).toBeVisible()
      await expect(row(bob, name)).toHaveCount(name === open ? 1 : 0)
    })
  // The public one can be joined again immediately, however late it is fetched.
  await row(bob, open).click()
  await expect(bob.getByRole('button', { name: 'Join channel' })).toBeVisible()
  release()
  await joinChannel(bob, open)
})

test('the dialogs of a channel are accessible, and a refused name is explained and kept', { tag: '@long' }, async ({
  person,
}) => {
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
  await expect(ada.getByRole('button', { name: 'Create Channel' })).toBeDisabled()
  await expect(ada.getByText('Keep it short, in lowercase. You can change it later.')).toBeVisible()
  await expectAccessible(ada, 'create')
  for (const [name, reason] of [
    ['General', 'a channel with this name already exists'],
    ['dm-x', 'the name is reserved'],
    ['#x', 'the name must not begin with #'],
  ] as const) {
    await ada.getByLabel('Name', { exact: true }).fill(name)
    await ada.getByRole('button', { name: 'Create Channel' }).click()
    await expect(ada.getByText(`Failed to create channel: ${reason}`)).toBeVisible()
    await expect(ada.getByLabel('Name', { exact: true })).toHaveValue(name)
  }
  await ada.keyboard.press('Escape')
  await expect(ada.getByRole('dialog')).toHaveCount(0)
  await expect(ada.getByRole('button', { name: 'Create channel' })).toBeFocused()
  await ada.reload()
  await ada.getByRole('button', { name: 'Create channel' }).click()
  await expect(ada.getByLabel('Name', { exact: true })).toHaveValue('#x')
})

test('leaving, muting and favoring that fail change nothing, and say so once', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const name = uniqueName('sticky')
  await createChannel(ada, name)
  await joinChannel(bob, name)
  await chooseChannelAction(bob, name, 'Add to favorites')
  const favorites = bob.getByRole('region', { name: 'FAVORITES' }).getByRole('link', { name })
  await expect(favorites).toBeVisible()
  const logged: string[] = []
  bob.on('console', (line) => logged.push(line.text()))
  await bob.route(/\/(leave|mute|favorite)$/, (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'unavailable' } } }),
  )
  await chooseChannelAction(bob, name, 'Leave')
  await bob.getByRole('button', { name: 'Leave Channel' }).click()
  await expect(toast(bob, 'Couldn’t leave channel')).toHaveCount(1)
  await expect.poll(() => logged.filter((line) => line.startsWith('Failed to leave channel:'))).toHaveLength(1)
  await expect(composer(bob)).toBeVisible()
  await expect(bob.getByRole('heading', { name })).toBeVisible()

  await chooseChannelAction(bob, name, 'Mute')
  await expect(toast(bob, 'Couldn’t mute channel')).toHaveCount(1)
  await expect(row(bob, name).getByLabel('Muted')).toHaveCount(0)
  await chooseChannelAction(bob, name, 'Remove from favorites')
  await expect(toast(bob, 'Couldn’t remove from favorites')).toHaveCount(1)
  await expect(favorites).toBeVisible()
  await expect(bob.getByRole('region', { name: 'CHANNELS' }).getByRole('link', { name })).toHaveCount(0)
})

test('a channel from which I was removed during an outage says so, whichever answer comes first', {
  tag: '@long',
}, async ({ person, network }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { address: network.address })
  // Over Bob's connection, which is cut later.
  const { id: userId } = await userOn(bob)
  for (const areMessagesFirst of [false, true]) {
    const name = uniqueName('tunnel')
    const channelId = await createPrivateChannel(ada, bob, name)
    network.cut()
    await bob.context().setOffline(true)
    await callApi(ada, 'POST', `/api/channels/${channelId}/remove-member`, { userId })
    if (areMessagesFirst) {
      // The response for the messages reveals the loss of the channel before that for the channel itself.
      const synced = bob.waitForResponse('**/api/sync')
      await bob.route(/api\/channels(\?|\/)/, async (route) => {
        await synced
        await route.continue()
      })
    }
    network.restore()
    await bob.context().setOffline(false)
    await expect(bob.getByRole('heading', { name: `You are no longer in #${name}` })).toBeVisible({ timeout: 90_000 })
    await expect(row(bob, name)).toHaveCount(0)
  }
})

test('the owner renames a channel, sets its topic, and makes it private', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const eve = await person('Eve Adams')
  const name = uniqueName('draft')
  await createChannel(ada, name)
  await joinChannel(bob, name)
  await row(eve, name).click()
  await ada.getByRole('main').getByRole('button', { name }).click()
  await ada.getByRole('menuitem', { name: 'Edit channel' }).click()
  await expect(ada.getByRole('button', { name: 'Save' })).toBeDisabled()
  await ada.getByLabel('Name', { exact: true }).fill('general')
  await ada.getByRole('button', { name: 'Save' }).click()
  await expect(ada.getByText('Couldn’t update channel: a channel with this name already exists')).toBeVisible()
  await ada.getByLabel('Name', { exact: true }).fill(`${name}-final`)
  await ada.getByLabel('Topic').fill('Decisions in threads, please.')
  await ada.getByLabel('Private').check()
  await ada.getByRole('button', { name: 'Save' }).click()
  await expect(bob.getByRole('heading', { name: `${name}-final` })).toBeVisible()
  await expect(bob.getByText('Decisions in threads, please.')).toBeVisible()
  await expect(bob).toHaveTitle(`#${name}-final · Parley`)
  await expect(row(bob, `${name}-final`)).toContainText('Private')
  await expect(eve.getByRole('heading', { name: `#${name} is private now` })).toBeVisible()
  await expect(row(eve, name)).toHaveCount(0)
})
