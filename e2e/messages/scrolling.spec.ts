import type { Page } from '@playwright/test'
import { callApi, createChannel, expect, message, sendMessages, test, uniqueName } from '../support/fixtures.ts'
import { sendConcurrently } from '../support/send-many.ts'
import { keepNothing } from '../support/settings.ts'
import { settled } from '../support/settled.ts'
import { conversation } from '../support/threads.ts'

const STEP = 240
const textOf = (i: number) =>
  `${i} ${i % 5 ? '' : 'with more to say '.repeat(20)}${i % 9 ? '' : '\n\n- one\n- two\n- three'}${i % 13 ? '' : '\n```\ncode\ncode\n```'}`

/** The id and position of the first row that starts within the viewport. */
const firstRow = (page: Page) =>
  conversation(page).evaluate((list) => {
    const { top } = list.getBoundingClientRect()
    const rows = [...list.querySelectorAll<HTMLElement>('[data-message]')]
    const row = rows.find((it) => it.getBoundingClientRect().top >= top) as HTMLElement
    return { id: row.dataset['message'] as string, y: row.getBoundingClientRect().top }
  })

const positionOf = (page: Page, id: string) =>
  conversation(page)
    .locator(`[data-message="${id}"]`)
    .evaluate((row) => row.getBoundingClientRect().top)

test('scrolling up through many pages, rows move only as far as the wheel, whatever arrives or grows meanwhile', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  const channelId = await createChannel(ada, uniqueName('long'))
  await sendConcurrently(ada, 600, textOf)
  await sendMessages(ada, ['the end'])
  await ada.reload()
  await expect(message(ada, 'the end')).toBeInViewport()

  await conversation(ada).hover()
  for (let i = 0; i < 60; i++) {
    // A slow server's page of older messages may not be there yet.
    await expect.poll(() => conversation(ada).evaluate((list) => list.scrollTop)).toBeGreaterThan(STEP)
    const { id, y } = await firstRow(ada)
    await ada.mouse.wheel(0, -STEP)
    await expect.poll(async () => Math.abs((await positionOf(ada, id)) - y - STEP)).toBeLessThanOrEqual(1)
    if (i === 30) {
      // A row above grows while it is not rendered, and a message arrives below.
      const [above] = await callApi(ada, 'GET', `/api/messages/channel/${channelId}?before=400&limit=1`)
      await callApi(ada, 'POST', `/api/messages/${above.id}/reactions`, { emoji: '👍' })
      await sendMessages(ada, ['meanwhile'])
    }
  }
  await expect.poll(() => conversation(ada).getByRole('article').count()).toBeLessThan(60)

  // The rendered rows above the viewport grow, as late images would make them.
  await settled(ada)
  const { id, y } = await firstRow(ada)
  const grown = await conversation(ada).evaluate((list) => {
    const { top } = list.getBoundingClientRect()
    const above = [...list.querySelectorAll('article')].filter((row) => row.getBoundingClientRect().bottom <= top)
    for (const row of above) row.style.paddingBottom = '90px'
    return above.length
  })
  expect(grown).toBeGreaterThan(0)
  await settled(ada)
  expect(Math.abs((await positionOf(ada, id)) - y)).toBeLessThanOrEqual(1)

  // The End key leads back down, though the newest messages are no longer cached.
  await ada.keyboard.press('End')
  await expect(message(ada, 'meanwhile')).toBeInViewport()
  await expect(ada.getByRole('button', { name: 'Jump to latest' })).toBeHidden()
})
