import type { Page } from '@playwright/test'
import { callApi, createChannel, expect, message, say, sendMessages, test, uniqueName } from '../support/fixtures.ts'
import { sendConcurrently } from '../support/send-many.ts'
import { keepNothing } from '../support/settings.ts'
import { settled } from '../support/settled.ts'
import { createSharedChannel } from '../support/threads.ts'

const lineAt = (i: number) =>
  `line ${i + 1}${i % 7 === 0 ? `\n\nand\nmore\nof\nit` : ''}${i % 11 === 0 ? ' word'.repeat(120) : ''}`
const lines = (count: number) => Array.from({ length: count }, (_, i) => lineAt(i))

const list = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true })

type Frame = Record<string, number>

/**
 * Records the position of each visible row, by its text, in every painted frame until stopped. An IntersectionObserver
 * runs after the final layout; any earlier reading would see positions that are never painted.
 */
async function watchRows(page: Page) {
  await page.evaluate(() => {
    const frames: Frame[] = []
    let watching = true
    const log = document.querySelector('[aria-label=Messages]') as HTMLElement
    const look = () => {
      const observer = new IntersectionObserver(
        (entries) => {
          observer.disconnect()
          // Rows were rendered again meanwhile: measures the frame once more.
          if (entries.some(({ target }) => !target.isConnected)) return requestAnimationFrame(look)
          const seen = entries.filter((entry) => entry.isIntersecting)
          frames.push(
            Object.fromEntries(seen.map((it) => [it.target.textContent?.slice(0, 12), it.boundingClientRect.bottom])),
          )
          if (watching) requestAnimationFrame(look)
        },
        { root: log },
      )
      for (const text of log.querySelectorAll('article .prose')) observer.observe(text)
    }
    look()
    Object.assign(window, {
      stopWatching: () => {
        watching = false
        return frames
      },
    })
  })
  return () => page.evaluate(() => (window as unknown as { stopWatching: () => Frame[] }).stopWatching())
}

/** Waits until no row has moved for ten painted frames. */
const still = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let places = ''
        let frames = 0
        const look = () => {
          const rows = document.querySelectorAll('[aria-label=Messages] article')
          const now = Array.from(rows, (row) => row.getBoundingClientRect().top).join()
          frames = now === places ? frames + 1 : 0
          places = now
          if (frames >= 10) resolve()
          else requestAnimationFrame(look)
        }
        look()
      }),
  )

/** The greatest distance, in px, of a row of the first frame from its position there, in any later frame. */
function furthest([first = {}, ...later]: Frame[]) {
  expect(Object.keys(first).length).toBeGreaterThan(0)
  expect(later.length).toBeGreaterThan(2)
  const moves = later.flatMap((frame) =>
    Object.entries(first).map(([row, at]) => Math.abs((frame[row] ?? Number.NaN) - at)),
  )
  return Math.max(...moves)
}

test('older messages come while one scrolls up, a new one moves nothing there, and a click leads back to the end', async ({
  person,
  server,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { open: false })
  const id = await createSharedChannel(ada)
  const address = `${server.address}/channels/${id}`
  await sendMessages(ada, ['the very first', ...lines(60)], address)
  await callApi(bob, 'POST', `/api/channels/${id}/join`)
  await bob.goto(address)
  await expect(message(bob, 'line 60')).toBeInViewport()
  await sendMessages(ada, ['right at the bottom'], address)
  await expect(message(bob, 'right at the bottom')).toBeInViewport()

  const first = message(bob, 'the very first')
  await expect(async () => {
    await list(bob).evaluate((element) => element.scrollTo(0, 0))
    await expect(first).toBeInViewport({ timeout: 300 })
  }).toPass()
  await settled(bob)
  const place = await first.boundingBox()
  const heightOf = () => list(bob).evaluate((it) => it.scrollHeight)
  const height = await heightOf()
  await sendMessages(ada, ['far below'], address)
  await expect.poll(heightOf).toBeGreaterThan(height)
  expect(await first.boundingBox()).toEqual(place)
  await bob.getByRole('button', { name: 'Jump to latest' }).click()
  await expect(message(bob, 'far below')).toBeInViewport()
})

test('older pages load while scrolling up, without moving the rows on screen', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await createChannel(ada, uniqueName('history'))
  await sendMessages(ada, ['the very first'])
  await sendConcurrently(ada, 320, (index) => lineAt(index))
  await sendMessages(ada, ['the very last'])
  await ada.reload()
  await expect(message(ada, 'the very last')).toBeInViewport()

  // Holds back each older page, so that it arrives while nothing else happens.
  const waiting: (() => Promise<void>)[] = []
  await ada.route('**/api/messages/channel/**before=**', (route) => void waiting.push(() => route.continue()))
  for (let page = 0; page < 2; page++) {
    await expect(async () => {
      await list(ada).evaluate((element) => element.scrollTo(0, 0))
      expect(waiting).toHaveLength(1)
    }).toPass()
    await expect(list(ada).getByRole('article').first()).toBeInViewport()
    await still(ada)
    const stop = await watchRows(ada)
    const arrived = ada.waitForResponse(/before=/)
    await waiting.shift()?.()
    await arrived
    // The rows stay in place because the list has scrolled by the height of the older rows.
    await expect.poll(() => list(ada).evaluate((it) => it.scrollTop)).toBeGreaterThan(0)
    await still(ada)
    expect(furthest(await stop())).toBeLessThanOrEqual(1)
  }
  await ada.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(async () => {
    await list(ada).evaluate((element) => element.scrollTo(0, 0))
    await expect(message(ada, 'the very first')).toBeInViewport({ timeout: 300 })
  }).toPass()
  await expect.poll(() => list(ada).getByRole('article').count()).toBeLessThan(60)
})

test('new messages keep a reader at the bottom there, and move nothing for one further up', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await sendMessages(ada, lines(60))
  await expect(message(bob, 'line 60')).toBeInViewport()
  await say(ada, 'right at the bottom')
  await expect(message(bob, 'right at the bottom')).toBeInViewport()

  await list(bob).hover()
  await bob.mouse.wheel(0, -900)
  await expect(bob.getByRole('button', { name: 'Jump to latest' })).toBeVisible()
  await still(bob)
  const stop = await watchRows(bob)
  const heightOf = () => list(bob).evaluate((it) => it.scrollHeight)
  const height = await heightOf()
  await say(ada, 'far below')
  await expect.poll(heightOf).toBeGreaterThan(height)
  await still(bob)
  expect(furthest(await stop())).toBeLessThanOrEqual(1)
  await bob.getByRole('button', { name: 'Jump to latest' }).click()
  await expect(message(bob, 'far below')).toBeInViewport()
  await expect(bob.getByRole('button', { name: 'Jump to latest' })).toBeHidden()
})

test('an older page that fails to load says so and can be retried', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await createChannel(ada, uniqueName('flaky'))
  await sendMessages(ada, lines(70))
  let attempts = 0
  const pages = '**/api/messages/channel/**before=**'
  await ada.route(pages, (route) => {
    attempts++
    return route.abort()
  })
  await ada.reload()
  await expect(message(ada, 'line 70')).toBeInViewport()
  await list(ada).evaluate((element) => element.scrollTo(0, 0))
  await expect(ada.getByText('Failed to load messages.')).toBeVisible()
  const button = ada.getByRole('button', { name: 'Try again' })
  await expect(async () => {
    const before = attempts
    // The list also retries by itself; the button is away meanwhile.
    await button.click({ timeout: 1000 })
    await expect.poll(() => attempts, { timeout: 1000 }).toBeGreaterThan(before)
  }).toPass()
  await ada.unroute(pages)
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 1000 })
    await expect(ada.getByText('Failed to load messages.')).toBeHidden({ timeout: 1000 })
  }).toPass()
  await expect(async () => {
    await list(ada).evaluate((element) => element.scrollTo(0, 0))
    await expect(message(ada, 'line 12')).toBeVisible({ timeout: 300 })
  }).toPass()
})
