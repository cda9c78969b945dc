import type { BrowserContext, Page } from '@playwright/test'
import { ask, channelOn, expect, meOn, test } from './people.ts'
import { shortTokens } from './short-tokens.ts'

/** How often the token expires in the first test; more of it shows days. */
const EXPIRIES = Number(process.env['EXPIRIES'] ?? 3)

declare global {
  interface Window {
    notified: string[]
  }
}

/** A tab behind others, from its first moment on; it writes its notifications down. */
async function hide(context: BrowserContext) {
  await context.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'visibilityState', { get: () => 'hidden' })
    Object.defineProperty(Document.prototype, 'hidden', { get: () => true })
    Document.prototype.hasFocus = () => false
    window.notified = []
    class Recorded extends EventTarget {
      static permission = 'granted'
      static requestPermission = async () => 'granted'
      constructor(_: string, { body = '' }: NotificationOptions) {
        super()
        window.notified.push(body)
      }
      close() {}
    }
    Object.defineProperty(window, 'Notification', { value: Recorded })
  })
}

/** Opens the workspace of a page anew in a hidden tab, and waits until it hears. */
async function hiddenTab(page: Page) {
  await hide(page.context())
  const opened = page.waitForEvent('websocket')
  await page.reload()
  await opened
}

/** What the tab says of itself: its title, its icon and the notifications it showed. */
const said = (page: Page) =>
  page.evaluate(() => ({
    calls: /^\((\d+)\)/.exec(document.title)?.[1],
    icon: document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href.split('/').at(-1),
    notified: window.notified,
  }))

const saysCalls = (page: Page, texts: string[], timeout = 10_000) =>
  expect
    .poll(() => said(page), { timeout })
    .toEqual({ calls: String(texts.length), icon: 'icon-calls.svg', notified: texts })

/** Counts the connections of a page that ended. */
function countEnded(page: Page) {
  let ended = 0
  page.on('websocket', (socket) => socket.on('close', () => ended++))
  return () => ended
}

const mention = (by: Page, text: string) =>
  ask(by, 'POST', '/api/messages', { channelId: channelOn(by), content: text })

test('a hidden tab hears mentions after its token expired, again and again', async ({ person, server }) => {
  test.setTimeout(60_000 + EXPIRIES * 20_000)
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { username } = await meOn(bob)
  const sign = await shortTokens(server.dataDir)
  await bob.route('**/api/auth/token', async (route) => {
    const answer = await route.fetch()
    const { token } = await answer.json()
    // By a clock of two minutes ago the token lives long enough for the socket.
    const headers = { ...answer.headers(), date: new Date(Date.now() - 120_000).toUTCString() }
    return route.fulfill({ response: answer, headers, json: { token: await sign(token, 5) } })
  })
  const ended = countEnded(bob)
  await hiddenTab(bob)
  const texts: string[] = []
  for (let n = 1; n <= EXPIRIES; n++) {
    await expect.poll(ended, { timeout: 20_000 }).toBeGreaterThanOrEqual(n)
    texts.push(`@${username} after expiry ${n}`)
    await mention(ada, texts.at(-1) as string)
    await saysCalls(bob, texts, 20_000)
  }
})

test('a hidden tab is back after an outage that used up its attempts, and tells what called it meanwhile', async ({
  person,
  line,
}) => {
  test.slow()
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { address: line.address })
  const { username } = await meOn(bob)
  await bob.clock.install()
  await hiddenTab(bob)
  const before = `@${username} before`
  await mention(ada, before)
  await expect
    .poll(async () => {
      await bob.clock.runFor(1000)
      return said(bob)
    })
    .toEqual({ calls: '1', icon: 'icon-calls.svg', notified: [before] })

  line.pull()
  await expect(async () => {
    await bob.clock.runFor(10_000)
    await expect(bob.getByText('cannot be reached')).toBeVisible({ timeout: 200 })
  }).toPass({ timeout: 60_000 })
  const meanwhile = `@${username} meanwhile`
  await mention(ada, meanwhile)
  line.plug()
  await expect
    .poll(async () => {
      await bob.clock.runFor(5000)
      return said(bob)
    })
    .toEqual({ calls: '2', icon: 'icon-calls.svg', notified: [before, meanwhile] })
  const after = `@${username} after`
  await mention(ada, after)
  await expect
    .poll(async () => {
      await bob.clock.runFor(1000)
      return said(bob)
    })
    .toEqual({ calls: '3', icon: 'icon-calls.svg', notified: [before, meanwhile, after] })
})

test('a hidden tab is back after its server was restarted', async ({ person, server }) => {
  test.slow()
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { username } = await meOn(bob)
  await hiddenTab(bob)
  await server.stop()
  await server.start()
  const text = `@${username} after the restart`
  await mention(ada, text)
  await saysCalls(bob, [text], 90_000)
})

test('a tab that the browser let sleep tells what called it as soon as it is awake', async ({ person, line }) => {
  test.slow()
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { address: line.address })
  const { username } = await meOn(bob)
  await hiddenTab(bob)
  const browser = await bob.context().newCDPSession(bob)
  await browser.send('Page.setWebLifecycleState', { state: 'frozen' })
  line.pull()
  const text = `@${username} in your sleep`
  await mention(ada, text)
  line.plug()
  await browser.send('Page.setWebLifecycleState', { state: 'active' })
  await saysCalls(bob, [text], 90_000)
})
