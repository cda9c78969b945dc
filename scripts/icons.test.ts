import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { root } from './run-node.mjs'

/** The pixels of a picture of the web client, as red, green, blue and alpha. */
async function pixelsOf(name: string) {
  const picture = sharp(join(root, 'web/public', `${name}.png`)).ensureAlpha()
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  const pixel = (at: number) => [...data.subarray(at * 4, at * 4 + 4)]
  return {
    size: [info.width, info.height],
    pixels: Array.from({ length: info.width * info.height }, (_, at) => pixel(at)),
  }
}
const alphas = (pixels: number[][]) => pixels.map(([, , , alpha = 0]) => alpha)
/** How much two colours differ, at most 255. */
const difference = (a: number[], b: number[]) => Math.max(...a.map((part, at) => Math.abs(part - (b[at] ?? 0))))

test.each([
  ['icon-192', 192],
  ['icon-512', 512],
  ['icon-maskable', 512],
  ['icon-monochrome', 512],
  ['apple-touch-icon', 180],
  ['shortcut-threads', 96],
  ['shortcut-later', 96],
  ['shortcut-drafts', 96],
])('%s is a square of %i pixels that shows something', async (name, size) => {
  const picture = await pixelsOf(name)
  expect(picture.size).toEqual([size, size])
  const [first = []] = picture.pixels
  expect(picture.pixels.filter((pixel) => difference(pixel, first) > 100).length).toBeGreaterThan(size)
})

test.each(['icon-maskable', 'apple-touch-icon'])('%s is opaque: the system cuts out its shape', async (name) => {
  expect(new Set(alphas((await pixelsOf(name)).pixels))).toEqual(new Set([255]))
})

test('the mark of the maskable icon is in the circle that no system cuts off', async () => {
  const { size, pixels } = await pixelsOf('icon-maskable')
  const [width = 0] = size
  const [ground = []] = pixels
  const outside = pixels.filter((_, at) => {
    const [x, y] = [(at % width) + 0.5 - width / 2, Math.floor(at / width) + 0.5 - width / 2]
    // A diameter of 80 percent, as the specification of the manifest says.
    return Math.hypot(x, y) > 0.4 * width
  })
  expect(outside.filter((pixel) => difference(pixel, ground) > 8)).toEqual([])
})

test('the monochrome icon is one colour, drawn by its transparency', async () => {
  const { pixels } = await pixelsOf('icon-monochrome')
  expect(new Set(alphas(pixels))).toContain(0)
  expect(new Set(alphas(pixels))).toContain(255)
  const visible = pixels.filter(([, , , alpha = 0]) => alpha > 0)
  expect(visible.filter((pixel) => difference(pixel.slice(0, 3), [255, 255, 255]) > 8)).toEqual([])
})
