import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { composer, createChannel, expect, message, test, uniqueName } from '../support/fixtures.ts'
import { picture } from '../support/pictures.ts'

const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
const choose = (page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.getByLabel('Files to attach').setInputFiles(files)

test('pictures stand in rows of one height, four at most, then videos, then files', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('album'))
  const sizes = [
    [1200, 300],
    [300, 1200],
    [640, 480],
    [64, 64],
    [800, 600],
    [900, 600],
  ] as const
  await choose(
    ada,
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('some bytes') },
    { name: 'clip.mp4', mimeType: 'video/mp4', buffer: Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom') },
    ...(await Promise.all(
      sizes.map(async ([width, height], index) => ({
        name: `${index}.png`,
        mimeType: 'image/png',
        buffer: await picture(width, height),
      })),
    )),
  )
  await composer(ada).fill('the album')
  await expect(send(ada)).toBeEnabled()
  await send(ada).click()
  const row = message(ada, 'the album').and(ada.locator('[data-message]'))
  const pictures = row.getByRole('button', { name: /^Open \d\.png/ })
  await expect(pictures).toHaveCount(4)
  const boxes = () => Promise.all([0, 1, 2, 3].map((index) => pictures.nth(index).boundingBox()))
  const sizesOf = async () => (await boxes()).map((box) => [Math.round(box?.width ?? 0), box?.height])
  await expect.poll(sizesOf).toEqual([
    [320, 176],
    [96, 176],
    [235, 176],
    [176, 176],
  ])
  const last = (await boxes()).at(-1)
  const play = row.getByRole('button', { name: 'Play clip.mp4' })
  const video = await play.boundingBox()
  const file = await row.getByRole('button', { name: /^Download notes/ }).boundingBox()
  expect(video?.y).toBeGreaterThan((last?.y ?? 0) + 176)
  expect(file?.y).toBeGreaterThan((video?.y ?? 0) + (video?.height ?? 0))
  await expectAccessible(ada)

  await row.getByRole('button', { name: 'Open 3.png, and 2 more' }).click()
  await expect(ada.getByRole('dialog', { name: '3.png' }).locator(':focus')).toBeVisible()
  await ada.keyboard.press('ArrowRight')
  await expect(ada.getByRole('dialog', { name: '4.png' })).toBeVisible()
  await ada.keyboard.press('Escape')
  await play.click()
  await expect(row.locator('video')).toBeFocused()
  await expect
    .poll(() => row.locator('video').boundingBox())
    .toMatchObject({ width: video?.width, height: video?.height })

  // In a narrow column they share one row; in an even narrower one they are arranged two by two.
  await ada.setViewportSize({ width: 860, height: 900 })
  await expect.poll(async () => new Set((await boxes()).map((box) => box?.y)).size).toBe(1)
  await ada.setViewportSize({ width: 390, height: 844 })
  await expect.poll(async () => (await sizesOf()).map(([, height]) => height)).toEqual([132, 132, 132, 132])
  const tops = async () => (await boxes()).map((box) => Math.round(box?.y ?? 0))
  const [first, second, third, fourth] = await tops()
  expect([second, fourth]).toEqual([first, third])
  expect(third).toBeGreaterThan(first ?? 0)
  expect(await ada.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
