import type { Page } from '@playwright/test'
import { expect, test, userOn } from '../support/fixtures.ts'
import { expectNotified, hiddenTab, sendMention } from '../support/hidden-tab.ts'
import { shortTokens } from '../support/short-tokens.ts'

/** How often the token expires in the second test; a high number simulates days. */
const EXPIRIES = Number(process.env['EXPIRIES'] ?? 2)
/** Long enough to load the page and connect on a slow machine: a hidden page waits long before it retries. */
const TOKEN_SECONDS = 10

/** Counts a page's closed connections. */
function countEnded(page: Page) {
  let ended = 0
  page.on('websocket', (socket) => socket.on('close', () => ended++))
  return () => ended
}

test('a hidden tab reconnects after an outage, and notifies the mention that it missed', { tag: '@long' }, async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { address: network.address, open: false })
  const { username } = await userOn(bob)
  await hiddenTab(bob)
  const texts = ['before', 'meanwhile', 'after'].map((when) => `@${username} ${when}`)
  const [before, meanwhile, after] = texts as [string, string, string]
  await sendMention(ada, bob, before)
  await expectNotified(bob, [before])

  network.cut()
  await expect(bob.getByText(/Connection lost/)).toBeVisible()
  await sendMention(ada, bob, meanwhile)
  network.restore()
  // A hidden page would wait longer for its next attempt.
  await bob.evaluate(() => window.dispatchEvent(new Event('online')))
  await expectNotified(bob, [before, meanwhile])
  await sendMention(ada, bob, after)
  await expectNotified(bob, texts)
})

test('a hidden tab receives mentions after each expiry of its token', { tag: '@long' }, async ({ person, server }) => {
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

test('a frozen tab notifies missed mentions as soon as it wakes up', { tag: '@long' }, async ({ person, network }) => {
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
