import type { Page } from '@playwright/test'
import { patientClock } from '../support/clock.ts'
import {
  callApi,
  channelIdOn,
  createChannel,
  expect,
  sendMessages,
  test,
  tokenOf,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { hiddenTab, sendMention, tabState } from '../support/hidden-tab.ts'
import type { startProxy } from '../support/server.ts'

// After an outage, a hidden tab shows notifications for the mentions that it missed.

type Person = (name: string, options?: { address?: string; open?: boolean }) => Promise<Page>

/** Ada without a page, and Bob in a hidden tab whose network can be cut, in one channel. */
async function together(person: Person, address: string) {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { address, open: false })
  const channelId = await createChannel(ada, uniqueName('calls'))
  await callApi(bob, 'POST', `/api/channels/${channelId}/join`)
  const { username } = await userOn(bob)
  await bob.clock.install()
  const advance = patientClock(bob)
  await hiddenTab(bob, `/channels/${channelId}`)
  return { ada, bob, username, advance }
}

type Advance = Awaited<ReturnType<typeof together>>['advance']

/** Cuts a page's network and waits until the page shows it. */
async function cut(page: Page, network: Awaited<ReturnType<typeof startProxy>>, advance: Advance) {
  network.cut()
  await expect(async () => {
    await advance(10_000)
    await expect(page.getByText(/Connection lost|Can't reach Parley/)).toBeVisible({ timeout: 200 })
  }).toPass({ timeout: 90_000 })
}

const notifies = (page: Page, texts: string[], advance: Advance) =>
  expect
    .poll(
      async () => {
        await advance(5000)
        return (await tabState(page)).notified
      },
      { timeout: 90_000 },
    )
    .toEqual(texts)

test('a missed mention below many newer messages is notified', { tag: '@long' }, async ({ person, network }) => {
  test.slow()
  const { ada, bob, username, advance } = await together(person, network.address)
  await cut(bob, network, advance)
  const text = `@${username} look at this`
  await sendMention(ada, bob, text)
  await sendMessages(
    ada,
    Array.from({ length: 130 }, (_, n) => `chatter ${n}`),
    bob.url(),
  )
  network.restore()
  await notifies(bob, [text], advance)
})

test('a missed mention is notified after earlier ones were read elsewhere', async ({ person, network, server }) => {
  test.slow()
  const { ada, bob, username, advance } = await together(person, network.address)
  const before = `@${username} before`
  await sendMention(ada, bob, before)
  await notifies(bob, [before], advance)
  const token = await tokenOf(bob)
  await cut(bob, network, advance)
  const read = await fetch(`${server.address}/api/channels/${channelIdOn(bob)}/read`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ seq: 1 }),
  })
  expect(read.status).toBe(200)
  const again = `@${username} again`
  await sendMention(ada, bob, again)
  network.restore()
  await notifies(bob, [before, again], advance)
})

test('a missed mention is notified even if the connection is lost again', { tag: '@long' }, async ({
  person,
  network,
}) => {
  test.slow()
  const { ada, bob, username, advance } = await together(person, network.address)
  await cut(bob, network, advance)
  const text = `@${username} in between`
  await sendMention(ada, bob, text)
  // The first connection fetches the channels and is lost before the threads arrive.
  let isBroken = true
  await bob.route('**/api/threads?**', (route) => (isBroken ? route.abort() : route.continue()))
  network.restore()
  await expect
    .poll(
      async () => {
        await advance(5000)
        return (await tabState(bob)).calls
      },
      { timeout: 90_000 },
    )
    .toBe('1')
  await cut(bob, network, advance)
  network.restore()
  await expect(async () => {
    await advance(5000)
    await expect(bob.getByText(/Connection lost|Can't reach Parley/)).toHaveCount(0, { timeout: 200 })
  }).toPass({ timeout: 90_000 })
  isBroken = false
  await notifies(bob, [text], advance)
})

test('a missed mention is notified while another request of the page fails', { tag: '@long' }, async ({
  person,
  network,
}) => {
  test.slow()
  const { ada, bob, username, advance } = await together(person, network.address)
  await bob.getByRole('button', { name: 'Files', exact: true }).click()
  await expect(bob.getByRole('dialog', { name: 'Files' })).toBeVisible()
  await bob.route('**/api/files?**', (route) => route.fulfill({ status: 503, json: {} }))
  await cut(bob, network, advance)
  const text = `@${username} come in`
  await sendMention(ada, bob, text)
  network.restore()
  await notifies(bob, [text], advance)
})

test('a mention missed during an upgrade is notified after the reload', { tag: '@long' }, async ({
  person,
  network,
  server,
}) => {
  test.slow()
  const { ada, bob, username, advance } = await together(person, network.address)
  await bob.clock.fastForward('02:00')
  await cut(bob, network, advance)
  const text = `@${username} during the upgrade`
  await sendMention(ada, bob, text)
  const html = await (await fetch(new URL('/', server.address))).text()
  await bob.route(
    ({ pathname }) => pathname === '/',
    (route) =>
      route.request().isNavigationRequest()
        ? route.continue()
        : route.fulfill({ contentType: 'text/html', body: html.replace(/\/assets\/app-[^"]+/, '/assets/app-new.js') }),
  )
  let reloads = 0
  let searches = 0
  bob.on('framenavigated', () => reloads++)
  bob.on('request', (request) => {
    if (request.url().includes(`/api/messages/channel/${channelIdOn(bob)}?`)) searches++
  })
  const runUntil = (isDone: () => boolean) =>
    expect
      .poll(
        async () => {
          if (!isDone()) await bob.clock.runFor(200)
          return isDone()
        },
        { timeout: 60_000, intervals: [20] },
      )
      .toBe(true)
  const notified = () =>
    tabState(bob)
      .then((it) => it.notified)
      .catch(() => undefined)
  network.restore()
  await runUntil(() => searches > 0)
  // From here on the clock runs: a reload that did not wait for the notification would precede it.
  await expect.poll(notified).toEqual([text])
  await runUntil(() => reloads > 0)
  await expect.poll(notified).toEqual([text])
})
