import type { Page } from '@playwright/test'
import { patientClock } from '../support/clock.ts'
import { expect, test, userOn } from '../support/fixtures.ts'
import { expectNotified, hiddenTab, sendMention, tabState } from '../support/hidden-tab.ts'
import { shortTokens } from '../support/short-tokens.ts'

/** How often the token expires in the first test; a high number simulates days. */
const EXPIRIES = Number(process.env['EXPIRIES'] ?? 2)
/** Long enough to load the page and to connect on a slow machine: a hidden page waits long before it tries again. */
const TOKEN_SECONDS = 10

/** Counts the closed connections of a page. */
function countEnded(page: Page) {
  let ended = 0
  page.on('websocket', (socket) => socket.on('close', () => ended++))
  return () => ended
}

test('a hidden tab receives mentions after each expiry of its token', async ({ person, server }) => {
  test.setTimeout(240_000 + EXPIRIES * 60_000)
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { open: false })
  const { username } = await userOn(bob)
  const sign = await shortTokens(server.databaseUrl)
  const ended = countEnded(bob)
  await bob.route('**/api/auth/token', async (route) => {
    const answer = await route.fetch()
    const { token } = await answer.json()
    // A server clock two minutes behind makes the token look valid for long enough.
    const headers = { ...answer.headers(), date: new Date(Date.now() - 120_000).toUTCString() }
    return route.fulfill({ response: answer, headers, json: { token: await sign(token, TOKEN_SECONDS) } })
  })
  await hiddenTab(bob)
  const texts: string[] = []
  for (let n = 1; n <= EXPIRIES; n++) {
    const before = ended()
    await expect.poll(ended, { timeout: 60_000 }).toBeGreaterThan(before)
    texts.push(`@${username} after expiry ${n}`)
    await sendMention(ada, bob, texts.at(-1) as string)
    await expectNotified(bob, texts)
  }
})

test('a hidden tab reconnects after an outage that used up its attempts, and notifies missed mentions', async ({
  person,
  network,
}) => {
  test.slow()
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { address: network.address, open: false })
  const { username } = await userOn(bob)
  await bob.clock.install()
  const advance = patientClock(bob)
  await hiddenTab(bob)
  const before = `@${username} before`
  await sendMention(ada, bob, before)
  await expect
    .poll(async () => {
      await advance(1000)
      return tabState(bob)
    })
    .toEqual({ calls: '1', icon: 'icon-calls.svg', notified: [before] })

  network.cut()
  await expect(async () => {
    await advance(10_000)
    await expect(bob.getByText("Can't reach Parley")).toBeVisible({ timeout: 200 })
  }).toPass({ timeout: 60_000 })
  const meanwhile = `@${username} meanwhile`
  await sendMention(ada, bob, meanwhile)
  network.restore()
  await expect
    .poll(async () => {
      await advance(5000)
      return tabState(bob)
    })
    .toEqual({ calls: '2', icon: 'icon-calls.svg', notified: [before, meanwhile] })
  const after = `@${username} after`
  await sendMention(ada, bob, after)
  await expect
    .poll(async () => {
      await advance(1000)
      return tabState(bob)
    })
    .toEqual({ calls: '3', icon: 'icon-calls.svg', notified: [before, meanwhile, after] })
})

test('a hidden tab reconnects after a restart of the server', async ({ person, server }) => {
  test.slow()
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { open: false })
  const { username } = await userOn(bob)
  await hiddenTab(bob)
  await server.stop()
  await server.start()
  const text = `@${username} after the restart`
  await sendMention(ada, bob, text)
  await expectNotified(bob, [text])
})

test('a frozen tab notifies missed mentions as soon as it wakes up', async ({ person, network }) => {
  test.slow()
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { address: network.address, open: false })
  const { username } = await userOn(bob)
  await hiddenTab(bob)
  const browser = await bob.context().newCDPSession(bob)
  await browser.send('Page.setWebLifecycleState', { state: 'frozen' })
  network.cut()
  const text = `@${username} in your sleep`
  await sendMention(ada, bob, text)
  network.restore()
  await browser.send('Page.setWebLifecycleState', { state: 'active' })
  await expectNotified(bob, [text])
})
