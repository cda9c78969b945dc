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
import { nextFrame, settled } from '../support/settled.ts'
import { conversation } from '../support/threads.ts'

interface Frame {
  /** Where rows stand, by the id of their message. */
  rows: Record<string, number>
  /** Px of the view that no row covers. */
  blank: number
}

/** What is painted in every frame until told to stop: an IntersectionObserver looks when it is laid out for good. */
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
          // What entered the view in the frame after it is told with it.
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

/** How much the rows moved from frame to frame, px: those that are in both, each of which has to move alike. */
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

test('scrolling up through many pages, nothing jumps and nothing is blank, whatever arrives meanwhile', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('long'))
  await sendConcurrently(ada, 900, textOf)
  await sendMessages(ada, ['the end'])
  await ada.reload()
  await expect(message(ada, 'the end')).toBeInViewport()
  const channelId = channelIdOn(ada)

  await conversation(ada).hover()
  const stop = await watch(ada)
  for (let i = 0; i < 60; i++) {
    await ada.mouse.wheel(0, -STEP)
    if (i % 4 === 0) await nextFrame(ada)
    if (i === 30) {
      // Something above grows while it is not drawn, and something below is said.
      const [above] = await callApi(ada, 'GET', `/api/messages/channel/${channelId}?before=700&limit=1`)
      await callApi(ada, 'POST', `/api/messages/${above.id}/reactions`, { emoji: '👍' })
      await sendMessages(ada, ['meanwhile'])
    }
  }
  await settled(ada)
  const frames = await stop()

  expect(frames.length).toBeGreaterThan(15)
  // The 12 px below the last row are no row.
  expect(Math.max(...frames.map(({ blank }) => blank))).toBeLessThanOrEqual(13)
  const all = moves(frames).filter(({ common }) => common > 0)
  // Rows move together and downwards only.
  expect(Math.max(...all.map(({ least, most }) => most - least))).toBeLessThanOrEqual(1)
  expect(Math.min(...all.map(({ least }) => least))).toBeGreaterThanOrEqual(-1)
  const way = all.reduce((sum, { most }) => sum + most, 0)
  expect(way).toBeGreaterThan(50 * STEP)
  expect(way).toBeLessThanOrEqual(60 * STEP + 2)
  expect(await conversation(ada).getByRole('article').count()).toBeLessThan(60)

  // And back down, by the key, though the newest are no longer held.
  await ada.keyboard.press('End')
  await expect(message(ada, 'meanwhile')).toBeInViewport()
  await expect(ada.getByRole('button', { name: 'Jump to latest' })).toBeHidden()
})

test('rows above the viewport that change their height do not move the others', async ({ person }) => {
  const ada = await person('Ada Lovelace')
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
  // The rows that are drawn above the view, as late images would.
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
