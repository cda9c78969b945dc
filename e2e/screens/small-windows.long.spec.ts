import type { Locator } from '@playwright/test'
import { composer, createChannel, expect, message, say, sendMessages, test, uniqueName } from '../support/fixtures.ts'

// A window of 1280 × 1024 at 400 % zoom.
const magnified = { width: 320, height: 256 }

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox()
  if (!box) throw new Error('not on screen')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

test('the conversation keeps its share of a small or magnified window, also while one writes a long text', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { viewport: magnified })
  await createChannel(ada, uniqueName('small'))
  await sendMessages(
    ada,
    Array.from({ length: 12 }, (_, nth) => `Line ${nth}`),
  )
  await expect(message(ada, 'Line 11')).toBeVisible()
  const list = ada.getByRole('region', { name: 'Messages', exact: true })
  const share = async () => ((await list.boundingBox())?.height ?? 0) / (ada.viewportSize()?.height ?? 1)

  await test.step('at 400 % zoom', async () => {
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

  await test.step('with a long text in the composer', async () => {
    for (const viewport of [
      { width: 1280, height: 500 },
      { width: 390, height: 508 },
      { width: 1440, height: 900 },
    ]) {
      await ada.setViewportSize(viewport)
      await composer(ada).fill('line\n'.repeat(40))
      await expect.poll(share, JSON.stringify(viewport)).toBeGreaterThanOrEqual(0.42)
    }
  })

  await test.step('at 200 % text size nothing overlaps', async () => {
    await createChannel(ada, uniqueName('large'))
    await sendMessages(ada, ['as large as it gets'])
    // Like a browser's own font size setting.
    await ada.addStyleTag({ content: ':root { font-size: 200% }' })
    for (const width of [1440, 720]) {
      await ada.setViewportSize({ width, height: 900 })
      await expect(async () => {
        const row = message(ada, 'as large as it gets')
        const avatar = await boxOf(row.locator('span[aria-hidden=true]').first())
        expect(avatar.right).toBeLessThanOrEqual((await boxOf(row.locator('.prose'))).x)
        const header = await boxOf(ada.locator('main header').first())
        const members = await boxOf(ada.getByRole('button', { name: 'Members' }))
        expect(members.bottom).toBeLessThanOrEqual(header.bottom)
        expect(members.y).toBeGreaterThanOrEqual(header.y)
        expect((await boxOf(ada.getByRole('main'))).width).toBeGreaterThanOrEqual(width * 0.59)
      }).toPass()
    }
  })
})
