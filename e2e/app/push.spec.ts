import type { Page } from '@playwright/test'
import { PUSH_SERVICE_SETTINGS, startPushService } from '../../server/test/support/push-service.ts'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createPrivateChannel,
  expect,
  message,
  openGeneral,
  signUpOwner,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { untilLateParts } from '../support/late-parts.ts'
import { connectPushService, type ShownPush } from '../support/push-browser.ts'
import { contentsIn, open, section, turnOn, untilOffline } from '../support/push-settings.ts'
import { startServer } from '../support/server.ts'
import { openSettings } from '../support/settings.ts'
import { endElsewhere, signInAs, signOut, welcome } from '../support/signing-out.ts'

test.use({ serviceWorkers: 'allow' })

let service: Awaited<ReturnType<typeof startPushService>>
let parley: Awaited<ReturnType<typeof startServer>>

test.beforeAll(async () => {
  service = await startPushService()
  parley = await startServer(PUSH_SERVICE_SETTINGS)
  await signUpOwner(parley.address)
})
test.afterAll(async () => {
  service.close()
  await parley.remove()
})

test('a person turns it on, tests it, and is notified after closing Parley; a click leads to the message', async ({
  person,
}) => {
  const address = parley.address
  const ada = await person('Ada Lovelace', { address, open: false })
  const bob = await person('Bob Kahn', { address, serviceWorkers: 'allow', open: false })
  const browser = await connectPushService(bob, service)
  await open(bob)
  await browser.record()
  await openSettings(bob, 'Notifications')
  await turnOn(bob).click()
  await expect(section(bob)).toContainText('On. This device notifies you while Parley is closed')
  await section(bob).getByRole('button', { name: 'Send a test' }).click()
  await expect(section(bob)).toContainText('It arrived.')
  expect((await browser.shown()).map(({ title }) => title)).toEqual(['Notifications arrive here'])
  await section(bob).getByText('Last notifications').click()
  await expect(section(bob).getByRole('list').last()).toContainText('Delivered')
  await expectAccessible(bob, 'push settings')

  const { id, username } = await userOn(bob)
  await bob.keyboard.press('Escape')
  const channelId = await createPrivateChannel(ada, bob, uniqueName('launch'))
  const direct = await callApi(ada, 'POST', '/api/direct-messages', { userIds: [id] })
  await openGeneral(bob)
  await bob.close()
  await untilOffline(ada, username)
  const { id: deletedId } = await callApi(ada, 'POST', '/api/messages', { channelId, content: `no, @${username}` })
  await expect.poll(async () => (await browser.shown()).map((it) => it.tag)).toContain(deletedId)
  await callApi(ada, 'DELETE', `/api/messages/${deletedId}`)
  const question = await callApi(ada, 'POST', '/api/messages', { channelId: direct.id, content: 'coming?' })
  await expect.poll(async () => (await browser.shown()).map((it) => it.tag)).toContain(question.id)
  await browser.click(question.id, 'reply', 'on my way')
  await expect.poll(() => contentsIn(ada, direct.id)).toEqual(['coming?', 'on my way'])
  await expect.poll(async () => (await browser.shown()).map((it) => it.tag)).not.toContain(question.id)
  await callApi(ada, 'POST', '/api/messages', { channelId: direct.id, content: 'read elsewhere' })
  await expect.poll(async () => (await browser.shown()).map(({ body }) => body)).toContain('read elsewhere')
  await callApi(ada, 'POST', '/api/messages', { channelId, content: `**now**, @${username}` })
  await expect.poll(async () => (await browser.shown()).at(-1)?.body).toBe(`now, @${username}\nYou were mentioned`)
  await expect.poll(async () => (await browser.shown()).map((it) => it.tag)).not.toContain(deletedId)
  const { title, tag = '', data } = (await browser.shown()).at(-1) as ShownPush
  expect(title).toMatch(/^Ada Lovelace in #launch/)
  expect(data?.path).toMatch(`/channels/${channelId}?message=`)

  const later = await bob.context().newPage()
  await later.goto('/later')
  await expect(later.getByRole('heading', { name: 'Later' })).toBeVisible()
  await callApi(later, 'PUT', `/api/channels/${direct.id}/read`, { seq: 3 })
  await expect.poll(async () => (await browser.shown()).map(({ body }) => body)).not.toContain('read elsewhere')
  await untilLateParts(later)
  await browser.click(tag)
  await expect(later).toHaveURL(new RegExp(channelId))
  await expect(message(later, 'now,')).toBeVisible()
  await expect(later.getByRole('button', { name: 'Don’t notify me here' })).toBeVisible()
  expect((await browser.shown()).map((it) => it.tag)).not.toContain(tag)
})

test('signing out ends it: the next person at the browser gets only what is theirs', { tag: '@long' }, async ({
  person,
}) => {
  const { address } = parley
  const ada = await person('Ada Lovelace', { address, open: false })
  const carol = await userOn(await person('Carol Shaw', { address, open: false }))
  const page = await person('Bob Kahn', { address, serviceWorkers: 'allow', open: false })
  const bob = await userOn(page)
  const browser = await connectPushService(page, service)
  await open(page)
  await browser.record()
  await openSettings(page, 'Notifications')
  await turnOn(page).click()
  await section(page).getByRole('button', { name: 'Send a test' }).click()
  await expect(section(page)).toContainText('It arrived.')
  const endpoint = browser.subscription()?.endpoint
  expect(endpoint).toBeDefined()
  await page.keyboard.press('Escape')

  await signOut(page)
  await expect(welcome(page)).toBeVisible()
  await expect.poll(() => browser.subscription()).toBeNull()
  await expect.poll(() => browser.shown()).toEqual([])
  await signInAs(page, carol.username)
  await expect(composer(page)).toBeVisible()
  await openSettings(page, 'Notifications')
  await expect(section(page)).toContainText('Off.')
  await turnOn(page).click()
  await expect(section(page)).toContainText('On.')
  // Such as what a push service still kept for Bob.
  await browser.deliver(JSON.stringify({ to: bob.id, tag: 'late', title: 'Ada', text: 'secret', path: '/' }))
  await expect
    .poll(async () => (await browser.shown()).map(({ title, body }) => [title, body]))
    .toEqual([['Parley', undefined]])
  await page.close()
  await untilOffline(ada, carol.username)
  for (const { id, username } of [bob, carol]) {
    const direct = await callApi(ada, 'POST', '/api/direct-messages', { userIds: [id] })
    await callApi(ada, 'POST', '/api/messages', { channelId: direct.id, content: `for ${username}` })
  }
  await expect
    .poll(async () => (await browser.shown()).flatMap(({ body }) => body ?? []))
    .toEqual([`for ${carol.username}`])
  // Bob’s test.
  expect(service.attempts.filter((it) => it === endpoint)).toHaveLength(1)
})

test('a session that was ended elsewhere ends it, and signing in again renews it', { tag: '@long' }, async ({
  person,
}) => {
  const { address } = parley
  const page = await person('Bob Kahn', { address, serviceWorkers: 'allow', open: false })
  const elsewhere = await person('Ada Lovelace', { address, open: false })
  const { username } = await userOn(page)
  const browser = await connectPushService(page, service, 'granted')
  await open(page)
  await browser.record()
  await openSettings(page, 'Notifications')
  await turnOn(page).click()
  await expect(section(page)).toContainText('On.')
  await page.keyboard.press('Escape')
  await elsewhere.context().clearCookies()
  await endElsewhere(elsewhere, username, address)
  await expect(page.getByLabel('Email or username')).toBeVisible()
  await expect.poll(() => browser.subscription()).toBeNull()
  await signInAs(page, username)
  await expect(composer(page)).toBeVisible()
  await page.reload()
  await expect.poll(() => browser.subscription()?.endpoint).toBeDefined()
})

test('a subscription that the browser or the push service lost is renewed at the next visit', { tag: '@long' }, async ({
  person,
}) => {
  const { address } = parley
  const bob = await person('Bob Kahn', { address, serviceWorkers: 'allow', open: false })
  const browser = await connectPushService(bob, service)
  await open(bob)
  await untilReady(bob)
  // As after a missed notification.
  const { id } = await userOn(bob)
  await bob.evaluate((key) => localStorage.setItem(key, 'yes'), `parley.offer.${id}`)
  await bob.reload()
  const hint = bob.getByRole('region', { name: 'Turn on notifications' })
  await hint.getByRole('button', { name: 'Turn on' }).click()
  await expect(hint).toContainText('Also notify you here while Parley is closed?')
  await hint.getByRole('button', { name: 'Turn on' }).click()
  await expect(hint).toHaveCount(0)
  await browser.record()
  await openSettings(bob, 'Notifications')
  await section(bob).getByRole('checkbox', { name: 'Show message texts' }).uncheck()
  await expect(section(bob)).toContainText('On.')
  await expect.poll(() => settingsOf(bob)).toMatchObject({ hidesText: true })

  browser.lose()
  await bob.reload()
  await expect.poll(() => browser.subscription()?.endpoint).toBeDefined()
  await expect.poll(() => settingsOf(bob)).toMatchObject({ hidesText: true })
  const { endpoint = '' } = browser.subscription() ?? {}

  // Its owner learns it from a test, and it is mended at once.
  service.unsubscribe(endpoint)
  await openSettings(bob, 'Notifications')
  await section(bob).getByRole('button', { name: 'Send a test' }).click()
  await expect(section(bob)).toContainText('The push service no longer knew this device')
  await section(bob).getByRole('button', { name: 'Send a test' }).click()
  await expect(section(bob)).toContainText('It arrived.')
  expect(await settingsOf(bob)).toMatchObject({ hidesText: true })
  await section(bob).getByRole('button', { name: 'Turn off' }).click()
  await expect(section(bob)).toContainText('Off.')
  expect([browser.subscription(), await settingsOf(bob)]).toEqual([null, undefined])
})

/** Waits until the browser has a service worker. */
const untilReady = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready))

/** What the server knows of this browser. */
const settingsOf = async (page: Page) => (await callApi(page, 'GET', '/api/push')).devices[0]
