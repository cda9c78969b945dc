import type { Page } from '@playwright/test'
import { untilKept } from '../support/device-cache.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  say,
  sendMessages,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { messageId } from '../support/message-rows.ts'
import { picture } from '../support/pictures.ts'
import { keepNothing } from '../support/settings.ts'

/** Cumulative layout shift below this counts as steady; "good" ends at 0.1. */
const STEADY = 0.02

interface Shift {
  value: number
  of: string[]
}

/** A LayoutShiftAttribution, which TypeScript does not declare yet. */
interface Source {
  node: Node | null
  previousRect: DOMRect
  currentRect: DOMRect
}
interface Entry {
  value: number
  sources: Source[]
}

/** Records all layout shifts since the page began to load, including those just after input. */
const noteShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    const describe = ({ node, previousRect: from, currentRect: to }: Source) =>
      `${node?.nodeName} "${node instanceof HTMLElement ? node.className.slice(0, 60) : ''}" ${from.x},${from.y} ${from.width}x${from.height} → ${to.x},${to.y} ${to.width}x${to.height}`
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as Entry[])
        shifts.push({ value: entry.value, of: entry.sources.map(describe) })
    }).observe({ type: 'layout-shift', buffered: true })
    // Hides the bar that reports a connection taking over two seconds, as it takes up space.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('main { --notice: 0px !important } .connection-bar { display: none }')
    document.adoptedStyleSheets.push(sheet)
  })

const shiftsOn = (page: Page) => page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)

/** Long enough for every late response to cause its layout shift. */
const SLOW_MS = 500

const slowDown = (page: Page) =>
  page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    await route.continue()
  })

async function expectSteady(page: Page) {
  const shifts = await shiftsOn(page)
  const total = shifts.reduce((sum, { value }) => sum + value, 0)
  expect(total, JSON.stringify(shifts, null, 1)).toBeLessThan(STEADY)
}

test('nothing moves while a page loads over a slow network, on a large screen and on a phone', async ({ person }) => {
  const wide = { width: 1280, height: 800 }
  const ada = await person('Ada Lovelace', { viewport: wide })
  const bob = await person('Bob Kahn', { open: false })
  const { id } = await userOn(bob)
  await keepNothing(ada)
  await callApi(ada, 'POST', '/api/direct-messages', { userIds: [id] })
  for (let nth = 0; nth < 8; nth++) await callApi(ada, 'POST', '/api/channels', { name: uniqueName('neighbour') })
  // Their number is remembered for the next page load.
  for (const name of ['dear', 'dearer'])
    await callApi(ada, 'PUT', `/api/channels/${await createChannel(ada, uniqueName(name))}/favorite`)
  await expect(ada.getByRole('region', { name: 'FAVORITES' }).getByRole('listitem')).toHaveCount(2)
  const notMine = await createChannel(bob, uniqueName('looked-at'))
  await callApi(bob, 'POST', '/api/messages', { channelId: notMine, content: 'Nobody hears me' })

  const channelId = await createChannel(ada, uniqueName('steady'))
  const address = ada.url()
  await callApi(bob, 'POST', `/api/channels/${channelId}/join`)
  const linesOf = (name: string) => Array.from({ length: 12 }, (_, nth) => `Line ${nth}, ${name}`)
  await sendMessages(ada, linesOf('first'))
  await composer(ada).fill('with a picture')
  await ada
    .getByLabel('Files to attach')
    .setInputFiles({ name: 'wide.png', mimeType: 'image/png', buffer: await picture(640, 320) })
  await expect(ada.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(1)
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await ada.getByRole('button', { name: 'Send', exact: true }).click()
  const threadId = await messageId(ada, 'with a picture')
  await callApi(bob, 'POST', '/api/messages', { channelId, content: 'a reply', threadId })
  await noteShifts(ada)
  await slowDown(ada)
  for (const [name, viewport] of [
    ['wide', wide],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    // Sent while the page is closed, so that the divider for unread messages appears with them.
    await ada.goto('about:blank')
    await ada.setViewportSize(viewport)
    await sendMessages(bob, linesOf(name), address)
    await ada.goto(`${address}?thread=${threadId}`)
    await expect(ada.getByText(`Line 11, ${name}`)).toBeAttached()
    await expect(ada.getByText('a reply')).toBeVisible()
    await expect(composer(ada)).toBeAttached()
    // Includes what loads once the page is idle: the live connection, threads, hints.
    await ada.waitForLoadState('networkidle')
    await expectSteady(ada)
  }

  // A narrow window with a keyboard, where the message box opens immediately.
  await ada.setViewportSize({ width: 360, height: 800 })
  await ada.goto(address)
  await expect(ada.getByText('Line 11, phone')).toBeAttached()
  await expect(composer(ada)).toBeFocused()
  await ada.waitForLoadState('networkidle')
  await expectSteady(ada)

  // A channel that she has not joined.
  await ada.setViewportSize(wide)
  await ada.goto(`/channels/${notMine}`)
  await expect(ada.getByRole('button', { name: 'Join channel' })).toBeVisible()
  await expect(ada.getByText('Nobody hears me')).toBeVisible()
  await ada.waitForLoadState('networkidle')
  await expectSteady(ada)
})

/** When the list of channels was last written to the device; Unix time in milliseconds. */
const listKeptAt = (page: Page) =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const db = await done(indexedDB.open('parley.device'))
    const entry = await done(db.transaction('entries').objectStore('entries').get('start'))
    db.close()
    return (entry?.usedAt ?? 0) as number
  })

test('nothing moves while the first steps of a newcomer load, nor when the server confirms what this device kept', async ({
  person,
}) => {
  const nora = await person('Nora Quist', { isNew: true, viewport: { width: 1280, height: 800 } })
  await noteShifts(nora)
  await slowDown(nora)
  await nora.reload()
  await expect(nora.getByRole('region', { name: /^Welcome to Parley/ })).toBeVisible()
  await expect(composer(nora)).toBeAttached()
  await nora.waitForLoadState('networkidle')
  await expectSteady(nora)
  await nora.unrouteAll({ behavior: 'wait' })

  await createChannel(nora, uniqueName('kept'))
  for (let nth = 0; nth < 12; nth++) await say(nora, `Line ${nth}`)
  await messageId(nora, 'Line 11')
  const before = await nora.evaluate(() => Date.now())
  await say(nora, 'The end')
  await messageId(nora, 'The end')
  await expect.poll(() => listKeptAt(nora)).toBeGreaterThan(before)
  await untilKept(nora)
  const address = nora.url()
  await nora.goto('about:blank')
  await slowDown(nora)
  const confirmed = nora.waitForResponse('**/api/sync')
  await nora.goto(address)
  await expect(nora.getByText('The end')).toBeAttached()
  await confirmed
  await nora.waitForLoadState('networkidle')
  await expectSteady(nora)
})
