import type { Page } from '@playwright/test'
import { untilKept } from '../support/device-cache.ts'
import {
  callApi,
  channelIdOn,
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
    // A connection that takes two seconds is reported by a bar, which takes its room.
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

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  test(`nothing moves while a page of ${width} px loads over a slow network`, async ({ person }) => {
    const ada = await person('Ada Lovelace', { viewport: { width, height } })
    const bob = await person('Bob Kahn')
    await keepNothing(ada)
    const { id } = await userOn(bob)
    await callApi(ada, 'POST', '/api/direct-messages', { userIds: [id] })
    for (let nth = 0; nth < 8; nth++) await callApi(ada, 'POST', '/api/channels', { name: uniqueName('neighbour') })
    await createChannel(ada, uniqueName('steady'))
    await callApi(bob, 'POST', `/api/channels/${channelIdOn(ada)}/join`)
    const lines = Array.from({ length: 20 }, (_, nth) => `Line ${nth}`)
    await sendMessages(ada, lines.slice(0, 8))
    await composer(ada).fill('with a picture')
    await ada
      .getByLabel('Files to attach')
      .setInputFiles({ name: 'wide.png', mimeType: 'image/png', buffer: await picture(640, 320) })
    await expect(ada.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(1)
    await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
    await ada.getByRole('button', { name: 'Send', exact: true }).click()
    const parent = await messageId(ada, 'with a picture')
    await callApi(bob, 'POST', '/api/messages', { channelId: channelIdOn(ada), content: 'a reply', threadId: parent })
    // Sent while the page is closed, so that the divider for unread messages appears with them.
    const address = ada.url()
    await ada.goto('about:blank')
    await sendMessages(bob, lines.slice(8), address)
    await noteShifts(ada)
    await slowDown(ada)
    await ada.goto(`${address}?thread=${parent}`)
    await expect(ada.getByText('Line 19')).toBeAttached()
    await expect(ada.getByText('a reply')).toBeVisible()
    await expect(composer(ada)).toBeAttached()
    // Includes what loads once the page is idle: the live connection, threads, hints.
    await ada.waitForLoadState('networkidle')
    await expectSteady(ada)
  })
}

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

test('nothing moves when the server confirms what this device kept', async ({ person }) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 1280, height: 800 } })
  await createChannel(ada, uniqueName('kept'))
  for (let nth = 0; nth < 12; nth++) await say(ada, `Line ${nth}`)
  await messageId(ada, 'Line 11')
  const before = await ada.evaluate(() => Date.now())
  await say(ada, 'The end')
  await messageId(ada, 'The end')
  await expect.poll(() => listKeptAt(ada)).toBeGreaterThan(before)
  await untilKept(ada)
  const address = ada.url()
  await ada.goto('about:blank')
  await noteShifts(ada)
  await slowDown(ada)
  const confirmed = ada.waitForResponse('**/api/sync')
  await ada.goto(address)
  await expect(ada.getByText('The end')).toBeAttached()
  await confirmed
  await ada.waitForLoadState('networkidle')
  await expectSteady(ada)
})

test('nothing moves while a channel loads that the user has not joined', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { viewport: { width: 1280, height: 800 } })
  const name = `looked-at-${Date.now()}`
  await ada.getByRole('button', { name: 'Create channel' }).click()
  await ada.getByLabel('Name', { exact: true }).fill(name)
  await ada.getByRole('button', { name: 'Create Channel' }).click()
  await expect(ada.getByRole('heading', { name })).toBeVisible()
  await say(ada, 'Nobody hears me')
  await bob.goto(ada.url())
  await expect(bob.getByRole('button', { name: 'Join channel' })).toBeVisible()
  await noteShifts(bob)
  await slowDown(bob)
  await bob.reload()
  await expect(bob.getByRole('button', { name: 'Join channel' })).toBeVisible()
  await expect(bob.getByText('Nobody hears me')).toBeVisible()
  await bob.waitForLoadState('networkidle')
  await expectSteady(bob)
})

test('the headings of the sidebar do not move when the favorites have loaded', async ({ person }) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 1280, height: 800 } })
  await keepNothing(ada)
  for (const name of ['dear', 'dearer']) {
    const id = await createChannel(ada, uniqueName(name))
    await callApi(ada, 'PUT', `/api/channels/${id}/favorite`)
  }
  const favorites = ada.getByRole('heading', { name: 'FAVORITES' })
  // Their number is remembered for the next page.
  await expect(ada.getByRole('region', { name: 'FAVORITES' }).getByRole('listitem')).toHaveCount(2)
  const { promise: held, resolve: answer } = Promise.withResolvers<void>()
  await ada.route('**/api/channels?*', async (route) => {
    await held
    await route.continue()
  })
  await ada.reload()
  await expect(ada.getByText('Fetching channels...').first()).toBeVisible()
  const heading = ada.getByRole('heading', { name: 'CHANNELS' })
  // Its width changes with the font, which may still be loading.
  const place = async () => ({ ...(await heading.boundingBox()), width: undefined })
  const before = await place()
  answer()
  await expect(favorites).toBeVisible()
  expect(await place()).toEqual(before)
})

test('the first steps of a newcomer are there with the page', async ({ person }) => {
  const nora = await person('Nora Quist', { isNew: true, viewport: { width: 1280, height: 800 } })
  await noteShifts(nora)
  await slowDown(nora)
  await nora.reload()
  await expect(nora.getByRole('region', { name: /^Welcome to Parley/ })).toBeVisible()
  await expect(composer(nora)).toBeAttached()
  await nora.waitForLoadState('networkidle')
  await expectSteady(nora)
})
