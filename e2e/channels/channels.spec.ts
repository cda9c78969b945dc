import type { Page } from '@playwright/test'
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

test('a new public channel appears in the other’s sidebar at once, and can be written in after joining', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = uniqueName('launch')
  await createChannel(ada, name, { byForm: true })
  await expect(row(bob, name)).toBeVisible()
  await row(bob, name).click()
  await say(ada, 'come in')
  await expect(message(bob, 'come in')).toBeVisible()
  await expect(composer(bob)).toHaveCount(0)
  await bob.getByRole('button', { name: 'Join channel' }).click()
  await say(bob, 'thank you')
  await expect(message(ada, 'thank you')).toBeVisible()
  await expect(row(ada, name).getByTitle('2 members')).toBeVisible()
  await expect(ada.getByRole('button', { name: 'Members 2' })).toBeVisible()
})

test('a private channel is visible to its members only, with its badge', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const eve = await person('Eve Adams')
  const name = uniqueName('founders')
  await createChannel(ada, name, { isPrivate: true, byForm: true })
  await expect(row(ada, name)).toContainText('Private')
  await createChannel(ada, `${name}-open`)
  await expect(eve.getByRole('link', { name: `${name}-open` })).toBeVisible()
  await expect(eve.getByRole('link', { name: new RegExp(name) })).toHaveCount(1)
})

test('a taken name is reported, and the typed text stays', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await ada.getByRole('button', { name: 'Create channel' }).click()
  await expect(ada.getByRole('button', { name: 'Create Channel' })).toBeDisabled()
  await expect(ada.getByText('Keep it short, in lowercase. You can change it later.')).toBeVisible()
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

test('leaving shows another channel; a public channel can be joined again, a private one is gone', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  for (const isPrivate of [false, true]) {
    const name = uniqueName('passing')
    await createChannel(ada, name, { isPrivate })
    await invite(ada, bob)
    await goTo(bob, name)
    await expect(composer(bob)).toBeVisible()
    // The owner cannot leave; other members cannot delete.
    await row(ada, name).hover()
    await ada.getByRole('button', { name: `Actions for ${name}` }).click()
    await expect(ada.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
    await expect(ada.getByRole('menuitem', { name: 'Leave' })).toHaveCount(0)
    await ada.keyboard.press('Escape')
    await chooseChannelAction(bob, name, 'Leave')
    await expect(bob.getByRole('dialog', { name: 'Leave Channel' })).toBeVisible()
    await bob.getByRole('button', { name: 'Leave Channel' }).click()
    await expect(toast(bob, `You left #${name}`)).toHaveCount(1)
    await expect(bob.getByRole('heading', { name: 'general' })).toBeVisible()
    await expect(row(ada, name).getByTitle('1 member')).toBeVisible()
    await expect(row(bob, name)).toHaveCount(isPrivate ? 0 : 1)
    if (!isPrivate) await joinChannel(bob, name)
  }
})

test('who opens a channel again right after leaving it can join, however late it is fetched', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const name = uniqueName('revolving')
  const id = await createChannel(ada, name)
  await joinChannel(bob, name)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await bob.route(`**/api/channels/${id}`, async (route) => {
    await released
    await route.continue()
  })
  await chooseChannelAction(bob, name, 'Leave')
  await bob.getByRole('button', { name: 'Leave Channel' }).click()
  await expect(toast(bob, `You left #${name}`)).toHaveCount(1)
  await row(bob, name).click()
  await expect(bob.getByRole('button', { name: 'Join channel' })).toBeVisible()
  release()
  await joinChannel(bob, name)
})

test('leaving that fails changes nothing, and is logged and shown once', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const name = uniqueName('sticky')
  await createChannel(ada, name)
  await joinChannel(bob, name)
  const logged: string[] = []
  bob.on('console', (line) => logged.push(line.text()))
  await bob.route('**/leave', (route) => route.fulfill({ status: 503, json: { error: { code: 'unavailable' } } }))
  await chooseChannelAction(bob, name, 'Leave')
  await bob.getByRole('button', { name: 'Leave Channel' }).click()
  await expect(toast(bob, 'Failed to leave channel')).toHaveCount(1)
  await expect.poll(() => logged.filter((line) => line.startsWith('Failed to leave channel: '))).toHaveLength(1)
  await expect(composer(bob)).toBeVisible()
  await expect(bob.getByRole('heading', { name })).toBeVisible()
})

test('a deleted channel closes for everybody who has it open', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const eve = await person('Eve Adams')
  const name = uniqueName('short-lived')
  await createChannel(ada, name)
  await joinChannel(bob, name)
  await row(eve, name).click()
  await expect(eve.getByText("You're previewing")).toBeVisible()
  const errors: string[] = []
  for (const page of [ada, bob, eve]) page.on('pageerror', (error) => errors.push(String(error)))
  await chooseChannelAction(ada, name, 'Delete')
  await ada.getByRole('button', { name: 'Delete Channel' }).click()
  // Ada, who deleted it, goes to another channel; the others see a notice and leave when they like.
  await expect(toast(ada, `#${name} was deleted`)).toHaveCount(1)
  await expect(ada.getByRole('heading', { name: 'general' })).toBeVisible()
  for (const page of [bob, eve]) {
    await expect(page.getByRole('heading', { name: `#${name} was deleted` })).toBeVisible()
    await expect(composer(page)).toHaveCount(0)
    await page.getByRole('link', { name: 'Go to #general' }).click()
  }
  for (const page of [ada, bob, eve]) {
    await expect(page.getByRole('heading', { name: 'general' })).toBeVisible()
    await expect(row(page, name)).toHaveCount(0)
    await expect(composer(page)).toBeVisible()
  }
  await bob.goBack()
  await expect(bob.getByRole('heading', { name: `#${name} was deleted` })).toBeVisible()
  expect(errors).toEqual([])
})

/** Removes Bob from a channel while his connection is cut. */
async function removeDuringOutage(ada: Page, bob: Page, channelId: string, network: { cut: () => void }) {
  // The request goes over Bob's connection, which is cut next.
  const { id: userId } = await userOn(bob)
  network.cut()
  await bob.context().setOffline(true)
  await callApi(ada, 'POST', `/api/channels/${channelId}/remove-member`, { userId })
}

test('a channel deleted, or from which I was removed, during an outage closes after reconnecting', async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { address: network.address })
  const name = uniqueName('tunnel')
  const channelId = await createPrivateChannel(ada, bob, name)
  await removeDuringOutage(ada, bob, channelId, network)
  network.restore()
  await bob.context().setOffline(false)
  await expect(bob.getByRole('heading', { name: `You are no longer in #${name}` })).toBeVisible({ timeout: 90_000 })
  await expect(row(bob, name)).toHaveCount(0)
})

test('a channel from which I was removed during an outage says so, whichever answer comes first', {
  tag: '@long',
}, async ({ person, network }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { address: network.address })
  const name = uniqueName('ordered')
  const channelId = await createPrivateChannel(ada, bob, name)
  await removeDuringOutage(ada, bob, channelId, network)
  // The messages say that the channel is gone before the channel itself does.
  const synced = bob.waitForResponse('**/api/sync')
  await bob.route(/api\/channels(\?|\/)/, async (route) => {
    await synced
    await route.continue()
  })
  network.restore()
  await bob.context().setOffline(false)
  await expect(bob.getByRole('heading', { name: `You are no longer in #${name}` })).toBeVisible({ timeout: 90_000 })
})

test('the owner renames a channel, sets its topic, and makes it private', async ({ person }) => {
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
  await expect(ada.getByText('Failed to update channel: a channel with this name already exists')).toBeVisible()
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
