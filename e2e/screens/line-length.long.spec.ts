import type { Locator, Page } from '@playwright/test'
import { composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'

const longLine = 'A line that goes on and on, as lines of minutes and of stack traces do. '.repeat(12).trim()
const fromTheRight = 'مرحبا بالجميع'

const boxOf = async (page: Page, text: string) => {
  const box = await message(page, text).locator('.prose p').boundingBox()
  if (!box) throw new Error(`"${text}" is not on screen`)
  return box
}

/** The left and right edges of the letters of a paragraph, in pixels of the window. */
const lettersOf = (page: Page, text: string) =>
  message(page, text)
    .locator('.prose p')
    .evaluate((paragraph) => {
      const range = document.createRange()
      range.selectNodeContents(paragraph)
      const { left, right } = range.getBoundingClientRect()
      return { left, right }
    })

test('lines, the composer and the dividers share one maximum width on the widest screen, and use the full width of narrower ones', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 2560, height: 1440 } })
  await createChannel(ada, uniqueName('wide'))
  await say(ada, longLine)
  await say(ada, fromTheRight)
  // Rows render again when the server confirms their messages.
  for (const text of [longLine, fromTheRight])
    await expect(message(ada, text).and(ada.locator('[data-message]'))).toBeVisible()

  const line = await boxOf(ada, longLine)
  expect(line.width).toBeLessThanOrEqual(860)
  const right = await lettersOf(ada, fromTheRight)
  expect(right.right).toBeLessThanOrEqual(line.x + 860)

  // The composer begins at the avatars and ends where the rows end.
  const field = composer(ada).locator('xpath=..')
  const composed = await field.boundingBox()
  const avatar = await message(ada, longLine).locator('span[aria-hidden=true]').first().boundingBox()
  expect(composed?.x).toBeCloseTo(avatar?.x ?? 0, 0)
  expect((composed?.x ?? 0) + (composed?.width ?? 0)).toBeCloseTo(line.x + line.width, 0)
  const day = await ada.getByRole('heading', { name: 'Today' }).locator('xpath=..').boundingBox()
  const gutter = (composed?.x ?? 0) - (day?.x ?? 0)
  expect((day?.x ?? 0) + (day?.width ?? 0) - gutter).toBeCloseTo(line.x + line.width, 0)

  // They are centered on the page, below the search field.
  const middleOf = async (shown: Locator) => {
    const { x, width } = (await shown.boundingBox()) ?? { x: 0, width: 0 }
    return x + width / 2
  }
  const search = ada.getByRole('button', { name: 'Search messages and files...' })
  expect(Math.abs((await middleOf(composer(ada))) - (await middleOf(search)))).toBeLessThanOrEqual(1)

  // The toolbar is beside the text: neither over it nor at the other end of the screen.
  await message(ada, fromTheRight).hover()
  const [first, last] = await Promise.all(
    ['React with 👍', 'More actions'].map((name) =>
      message(ada, fromTheRight).getByRole('button', { name }).first().boundingBox(),
    ),
  )
  expect(first?.x).toBeGreaterThanOrEqual(line.x + 860 - 4)
  expect(last?.x).toBeLessThanOrEqual(line.x + 860 + 240)

  // A thread opens beside them and moves nothing.
  const before = await middleOf(composer(ada))
  await message(ada, longLine).hover()
  await message(ada, longLine).getByRole('button', { name: 'Reply in thread' }).click()
  const thread = ada.getByRole('complementary', { name: 'Thread' })
  await expect(thread.getByPlaceholder('Reply to thread...')).toBeVisible()
  await expect(async () => {
    const panel = await thread.boundingBox()
    expect(Math.abs((await middleOf(composer(ada))) - before)).toBeLessThanOrEqual(1)
    const inThread = await thread.getByRole('article').first().boundingBox()
    expect(inThread?.width).toBeLessThanOrEqual(panel?.width ?? 0)
  }).toPass()

  // Neither does it on a screen that just has room for both.
  await ada.setViewportSize({ width: 1740, height: 900 })
  await expect(async () => {
    const [panel, shown] = [await thread.boundingBox(), await field.boundingBox()]
    expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual(panel?.x ?? 0)
  }).toPass()
  const beside = await middleOf(composer(ada))
  await thread.getByRole('button', { name: 'Close thread' }).click()
  await expect(thread).toHaveCount(0)
  expect(Math.abs((await middleOf(composer(ada))) - beside)).toBeLessThanOrEqual(1)

  // On a narrower screen, lines use the full width.
  for (const width of [1024, 390, 320]) {
    await ada.setViewportSize({ width, height: 800 })
    await expect(async () => {
      const article = await message(ada, longLine).boundingBox()
      const shown = await field.boundingBox()
      if (!article || !shown) throw new Error('drawn anew')
      expect(shown.x - article.x).toBeCloseTo(article.x + article.width - shown.x - shown.width, 0)
    }).toPass()
    expect(await ada.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})
