import type { Browser, Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  invite,
  message,
  say,
  showChannel,
  storedTexts,
  test,
  tokenOf,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { chooseAction } from '../support/message-rows.ts'
import { createSharedChannel, openThread, reply } from '../support/threads.ts'

async function chooseFor(page: Page, name: string, item: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const chooseInHeader = async (page: Page, channel: string, item: string) => {
  await page.getByRole('main').getByRole('button', { name: channel }).first().click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a guest joins by a link for some channels, and sees nothing else', { tag: '@long' }, async ({
  browser,
  owner: olga,
  server,
}) => {
  const [projectName, internal] = [uniqueName('project'), uniqueName('internal')]
  const project = await createChannel(olga, projectName)
  await createChannel(olga, internal)
  await olga.goto('/admin/people')
  await olga.getByRole('checkbox', { name: `#${projectName}` }).check()
  await olga.getByRole('region', { name: 'Invite guests' }).getByRole('button', { name: 'Create invite link' }).click()
  const link = await olga.getByLabel('Invite link', { exact: true }).inputValue()
  await callApi(olga, 'POST', '/api/messages', { channelId: project, content: 'hello guest' })

  const gil = await signUpBy(browser, server.address, link)
  await expect(gil.getByRole('heading', { name: projectName })).toBeVisible()
  await expect(message(gil, 'hello guest')).toBeVisible()
  const sidebar = gil.getByRole('navigation').first()
  await expect(sidebar).toContainText(projectName)
  await expect(sidebar).not.toContainText(internal)
  await expect(sidebar).not.toContainText('general')
  await expect(gil.getByRole('button', { name: 'Create channel' })).toHaveCount(0)

  // New permissions take effect on the open page.
  await olga.goto('/admin/permissions')
  const create = olga.getByRole('checkbox', { name: 'Create private channels: Guest' })
  const post = olga.getByRole('checkbox', { name: 'Post messages: Guest' })
  await create.click()
  await expect(gil.getByRole('button', { name: 'Create channel' })).toBeVisible()
  await expectAccessible(olga)
  // A failed response is retried, and removes nothing from the screen.
  await composer(gil).fill('still writing')
  let failed = 0
  await gil.route('**/api/auth/get-session', (route) =>
    ++failed > 1
      ? route.continue()
      : route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: '' } } }),
  )
  await post.click()
  await expect.poll(() => failed).toBeGreaterThan(1)
  await expect(gil.getByText('Your role can’t post in this workspace.')).toBeVisible()
  await post.click()
  await expect(composer(gil)).toHaveValue('still writing')
  await gil.unrouteAll({ behavior: 'wait' })

  // If rights change twice, the page shows the latest ones, whichever response is faster.
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  let asked = 0
  await gil.route('**/api/auth/get-session', async (route) => {
    if (++asked > 1) return route.continue()
    const outdated = await route.fetch()
    await isReleased
    await route.fulfill({ response: outdated })
  })
  await create.click()
  await expect.poll(() => asked).toBe(1)
  await create.click()
  await expect.poll(() => asked).toBe(2)
  const arrived = gil.waitForResponse('**/api/auth/get-session')
  release()
  await arrived
  await say(gil, 'hello from a guest')
  await expect.poll(() => storedTexts(olga, project)).toContain('hello from a guest')
  await expect(gil.getByRole('button', { name: 'Create channel' })).toBeVisible()
  await create.click()
  await expect(gil.getByRole('button', { name: 'Create channel' })).toHaveCount(0)
  await gil.context().close()
})

test('a channel for announcements says why one cannot post, and is archived and restored', { tag: '@long' }, async ({
  person,
  owner: olga,
}) => {
  const bob = await person('Bob Kahn')
  await olga.goto('/')
  const name = uniqueName('news')
  const news = await createChannel(olga, name)
  await invite(olga, bob, news)
  await chooseInHeader(olga, name, 'Edit channel')
  await olga.getByRole('combobox', { name: 'Who can post' }).click()
  await olga.getByRole('option', { name: 'Admins and the channel’s owner' }).click()
  await expect(olga.getByRole('checkbox', { name: /Everyone can reply/ })).toBeChecked()
  await expectAccessible(olga)
  await olga.getByRole('button', { name: 'Save' }).click()
  await showChannel(bob, news, name)
  await expect(bob.getByText('This channel is for announcements')).toBeVisible()
  await say(olga, 'release today')
  await openThread(bob, 'release today')
  await reply(bob, 'great')
  await expect(message(olga, 'release today')).toContainText('1 reply')

  await olga.getByRole('button', { name: 'Members 2' }).click()
  const members = olga.getByRole('dialog', { name: `Members in #${name}` })
  const named = members.getByRole('button', { name: 'Always let Bob Kahn post' })
  await named.click()
  await expect(members.getByRole('listitem').filter({ hasText: 'Bob Kahn' })).toContainText('Can post')
  await expectAccessible(olga)
  await say(bob, 'from Bob as well')
  await named.click()
  await expect(bob.getByText('This channel is for announcements')).toBeVisible()
  await olga.keyboard.press('Escape')

  await chooseInHeader(olga, name, 'Archive channel')
  await olga.getByRole('dialog', { name: 'Archive Channel' }).getByRole('button', { name: 'Archive channel' }).click()
  await expect(bob.getByText('This channel is archived').first()).toBeVisible()
  await expect(olga.getByRole('button', { name: /^Archived/ })).toBeVisible()
  await olga.goto('/admin/channels')
  const row = olga.getByRole('list', { name: 'All channels' }).getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText('Archived')
  await row.getByRole('button', { name: 'Restore channel' }).click()
  await expect(bob.getByText('This channel is for announcements')).toBeVisible()
})

test('a reported message is deleted, its author muted, and direct messages blocked', { tag: '@long' }, async ({
  person,
  owner: olga,
}) => {
  const [bob, cyd] = [await person('Bob Reed'), await person('Cyd Lee')]
  await createSharedChannel(bob, cyd)
  await say(cyd, 'a rude remark')
  await chooseAction(bob, 'a rude remark', 'Report to admins')
  await expect(bob.getByText('Message reported to the admins')).toBeVisible()
  await expect.poll(async () => (await callApi(olga, 'GET', '/api/reports')).length).toBe(1)
  await olga.goto('/admin/reports')
  await expect(olga.getByText('Bob Reed reported a message of Cyd Lee')).toBeVisible()
  await expectAccessible(olga)
  await olga.getByRole('button', { name: 'Delete message' }).click()
  await expect(olga.getByText('Nothing was reported.')).toBeVisible()
  await expect(message(bob, 'a rude remark')).toHaveCount(0)

  await olga.goto('/admin/people')
  await olga.getByPlaceholder('Search people...').fill((await userOn(cyd)).username)
  await expect(olga.getByRole('button', { name: 'Actions for Cyd Lee' })).toHaveCount(1)
  await chooseFor(olga, 'Cyd Lee', 'Mute')
  await olga.getByRole('dialog', { name: 'Mute Person' }).getByRole('button', { name: 'Mute' }).click()
  await expect(cyd.getByText('An admin has muted you until')).toBeVisible()
  await chooseFor(olga, 'Cyd Lee', 'End mute')
  await olga.getByRole('dialog', { name: 'End Mute' }).getByRole('button', { name: 'End mute' }).click()
  await expect(composer(cyd)).toBeVisible()

  await say(cyd, 'back again')
  await expect(message(bob, 'back again')).toBeVisible()
  await bob.locator('article [data-person]').last().click()
  await bob.getByRole('button', { name: 'Block direct messages' }).click()
  await expect(bob.getByRole('button', { name: 'Allow direct messages again' })).toBeVisible()
  const { id } = await userOn(bob)
  const headers = { authorization: `Bearer ${await tokenOf(cyd)}` }
  const refused = await cyd.request.post('/api/direct-messages', { headers, data: { userIds: [id] } })
  expect(refused.status()).toBe(403)
})

async function signUpBy(browser: Browser, address: string, link: string) {
  const username = uniqueName('gil')
  const page = await (await browser.newContext({ baseURL: address })).newPage()
  await page.goto(link)
  await page.getByLabel('Name', { exact: true }).fill('Gil Guest')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(`${username}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Create account' }).click()
  return page
}
