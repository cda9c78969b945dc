import type { Locator } from '@playwright/test'
import { composer, createChannel, expect, message, say, sendMessages, test, uniqueName } from '../support/fixtures.ts'

// A window of 1280 × 1024 at 400 % zoom.
const magnified = { width: 320, height: 256 }

test('at 400 % zoom the conversation keeps half of the window, also while writing', async ({ person }) => {
  const ada = await person('Ada Lovelace', { viewport: magnified })
  await createChannel(ada, uniqueName('small'))
  await sendMessages(
    ada,
    Array.from({ length: 12 }, (_, nth) => `Line ${nth}`),
  )
  await expect(message(ada, 'Line 11')).toBeVisible()
  const list = ada.getByRole('region', { name: 'Messages', exact: true })
  const share = async () => ((await list.boundingBox())?.height ?? 0) / magnified.height
  await expect.poll(share).toBeGreaterThanOrEqual(0.5)

  await composer(ada).fill(Array.from({ length: 7 }, (_, nth) => `line ${nth}`).join('\n'))
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeInViewport({ ratio: 1 })
  await expect.poll(share).toBeGreaterThanOrEqual(0.42)
  // At least one line of the draft is visible, and the caret's line is in view.
  const field = await composer(ada).boundingBox()
  expect(field?.height).toBeGreaterThanOrEqual(32)
  expect(await ada.evaluate(() => document.documentElement.scrollWidth)).toBe(magnified.width)
  await say(ada, 'short again')
  await expect.poll(share).toBeGreaterThanOrEqual(0.5)
})

test('a long text in the composer leaves the conversation about half of any window', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('small'))
  await sendMessages(ada, ['one', 'two', 'three'])
  for (const viewport of [
    { width: 1280, height: 500 },
    { width: 390, height: 508 },
    { width: 1440, height: 900 },
  ]) {
    await ada.setViewportSize(viewport)
    await composer(ada).fill('line\n'.repeat(40))
    const list = ada.getByRole('region', { name: 'Messages', exact: true })
    const share = async () => ((await list.boundingBox())?.height ?? 0) / viewport.height
    await expect.poll(share, JSON.stringify(viewport)).toBeGreaterThanOrEqual(0.42)
  }
})

test('at 200 % text size nothing overlaps, and the conversation keeps its share', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('small'))
  await sendMessages(ada, ['as large as it gets'])
  // Like a browser's own font size setting.
  await ada.addStyleTag({ content: ':root { font-size: 200% }' })
  const box = async (of: Locator) => {
    const found = await of.boundingBox()
    if (!found) throw new Error('not on screen')
    return { ...found, right: found.x + found.width, bottom: found.y + found.height }
  }
  for (const width of [1440, 720]) {
    await ada.setViewportSize({ width, height: 900 })
    await expect(async () => {
      const row = message(ada, 'as large as it gets')
      const avatar = await box(row.locator('span[aria-hidden=true]').first())
      expect(avatar.right).toBeLessThanOrEqual((await box(row.locator('.prose'))).x)
      const header = await box(ada.locator('main header').first())
      const members = await box(ada.getByRole('button', { name: 'Members' }))
      expect(members.bottom).toBeLessThanOrEqual(header.bottom)
      expect(members.y).toBeGreaterThanOrEqual(header.y)
      expect((await box(ada.getByRole('main'))).width).toBeGreaterThanOrEqual(width * 0.59)
    }).toPass()
  }
})
