import type { Page } from '@playwright/test'
import {
  callApi,
  channelIdOn,
  createChannel,
  expect,
  message,
  sendMessages,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { sendConcurrently } from '../support/send-many.ts'
import { keepNothing } from '../support/settings.ts'
import { nextFrame, settled } from '../support/settled.ts'
import { conversation } from '../support/threads.ts'

interface Frame {
  /** Positions of the rows by message id. */
  rows: Record<string, number>
  /** Pixels of the viewport that no row covers. */
  blank: number
}

/** Records what every frame paints until stopped; an IntersectionObserver runs after the final layout. */
async function watch(page: Page) {
  await page.evaluate(() => {
    const frames: Frame[] = []
    const list = document.querySelector('[aria-label=Messages]') as HTMLElement
    let watching = true
    const look = () => {
      const observer = new IntersectionObserver(
        (entries) => {
          observer.disconnect()
          const view = list.getBoundingClientRect()
          // Rows that entered the view in the next frame are reported together.
          const seen = entries.filter(({ isIntersecting, time }) => isIntersecting && time === entries[0]?.time)
          const covered = seen.map(({ boundingClientRect: { top, bottom } }) =>
            Math.max(0, Math.min(bottom, view.bottom) - Math.max(top, view.top)),
          )
          frames.push({
            rows: Object.fromEntries(
              seen.flatMap(({ target, boundingClientRect }) => {
                const id = target.querySelector<HTMLElement>('[data-message]')?.dataset['message']
                return id ? [[id, boundingClientRect.bottom]] : []
              }),
            ),
            blank: view.height - covered.reduce((sum, height) => sum + height, 0),
          })
          if (watching) requestAnimationFrame(look)
        },
        { root: list },
      )
      for (const row of list.querySelectorAll('[data-index]')) observer.observe(row)
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

/** How many pixels the rows that are in both frames moved, from frame to frame. */
function moves(frames: Frame[]) {
  return frames.slice(1).map(({ rows }, i) => {
    const before = frames[i]?.rows ?? {}
    const by = Object.entries(rows).flatMap(([id, at]) => (before[id] === undefined ? [] : [at - before[id]]))
    return { least: Math.min(...by), most: Math.max(...by), common: by.length }
  })
}

const STEP = 240
const textOf = (i: number) =>
  `${i} ${i % 5 ? '' : 'with more to say '.repeat(20)}${i % 9 ? '' : '\n\n- one\n- two\n- three'}${i % 13 ? '' : '\n```\ncode\ncode\n```'}`

test('scrolling up through many pages, nothing jumps and nothing is blank, whatever arrives meanwhile', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await createChannel(ada, uniqueName('long'))
  await sendConcurrently(ada, 900, textOf)
  await sendMessages(ada, ['the end'])
  await ada.reload()
  await expect(message(ada, 'the end')).toBeInViewport()
  const channelId = channelIdOn(ada)

  await conversation(ada).hover()
  const stop = await watch(ada)
  for (let i = 0; i < 60; i++) {
    // A slow server's page of older messages may not be there yet.
    await expect.poll(() => conversation(ada).evaluate((list) => list.scrollTop)).toBeGreaterThan(STEP)
    await ada.mouse.wheel(0, -STEP)
    if (i % 4 === 0) await nextFrame(ada)
    if (i === 30) {
      // A row above grows while it is not rendered, and a message arrives below.
      const [above] = await callApi(ada, 'GET', `/api/messages/channel/${channelId}?before=700&limit=1`)
      await callApi(ada, 'POST', `/api/messages/${above.id}/reactions`, { emoji: '👍' })
      await sendMessages(ada, ['meanwhile'])
    }
  }
  await settled(ada)
  const frames = await stop()

  expect(frames.length).toBeGreaterThan(15)
  // Allows for the 12 px of padding below the last row.
  expect(Math.max(...frames.map(({ blank }) => blank))).toBeLessThanOrEqual(13)
  const all = moves(frames).filter(({ common }) => common > 0)
  // All rows move together, and only downwards.
  expect(Math.max(...all.map(({ least, most }) => most - least))).toBeLessThanOrEqual(1)
  expect(Math.min(...all.map(({ least }) => least))).toBeGreaterThanOrEqual(-1)
  const way = all.reduce((sum, { most }) => sum + most, 0)
  expect(way).toBeGreaterThan(50 * STEP)
  expect(way).toBeLessThanOrEqual(60 * STEP + 2)
  await expect.poll(() => conversation(ada).getByRole('article').count()).toBeLessThan(60)

  // The End key leads back down, though the newest messages are no longer cached.
  await ada.keyboard.press('End')
  await expect(message(ada, 'meanwhile')).toBeInViewport()
  await expect(ada.getByRole('button', { name: 'Jump to latest' })).toBeHidden()
})

test('rows above the viewport that change their height do not move the others', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await createChannel(ada, uniqueName('grows'))
  await sendMessages(
    ada,
    Array.from({ length: 60 }, (_, i) => `line ${i}`),
  )
  await ada.reload()
  await expect(message(ada, 'line 59')).toBeInViewport()
  await conversation(ada).hover()
  await ada.mouse.wheel(0, -500)
  await expect(ada.getByRole('button', { name: 'Jump to latest' })).toBeVisible()
  await settled(ada)
  const stop = await watch(ada)
  // The rendered rows above the viewport grow, as late images would make them.
  await conversation(ada).evaluate(async (list) => {
    const { top } = list.getBoundingClientRect()
    for (const row of list.querySelectorAll('article')) {
      if (row.getBoundingClientRect().bottom > top) break
      ;(row as HTMLElement).style.paddingBottom = '90px'
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })
  await settled(ada)
  const all = moves(await stop())
  expect(Math.max(...all.map(({ most }) => most))).toBeLessThanOrEqual(1)
  expect(Math.min(...all.map(({ least }) => least))).toBeGreaterThanOrEqual(-1)
})
