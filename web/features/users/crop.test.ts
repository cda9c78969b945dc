import { expect, test } from 'vitest'
import { drag, MAX_ZOOM, middle, squareOf, within, zoomTo } from './crop.ts'

const wide = { width: 400, height: 200 }

test('the square starts in the middle, as large as the picture allows', () => {
  expect(squareOf(middle, wide)).toEqual({ left: 100, top: 0, side: 200 })
  expect(squareOf(middle, { width: 50, height: 80 })).toEqual({ left: 0, top: 15, side: 50 })
})

test('dragging the picture moves the square the other way, and never out of the picture', () => {
  expect(squareOf(drag(middle, { x: 0.25, y: 0 }, wide), wide)).toEqual({ left: 50, top: 0, side: 200 })
  expect(squareOf(drag(middle, { x: 9, y: 9 }, wide), wide)).toEqual({ left: 0, top: 0, side: 200 })
  expect(squareOf(drag(middle, { x: -9, y: -9 }, wide), wide)).toEqual({ left: 200, top: 0, side: 200 })
})

test('zooming keeps the middle; zooming out at the edge moves the square back in', () => {
  const near = zoomTo(middle, 2, wide)
  expect(squareOf(near, wide)).toEqual({ left: 150, top: 50, side: 100 })
  const corner = drag(near, { x: -9, y: -9 }, wide)
  expect(squareOf(corner, wide)).toEqual({ left: 300, top: 100, side: 100 })
  expect(squareOf(zoomTo(corner, 1, wide), wide)).toEqual({ left: 200, top: 0, side: 200 })
  expect(within({ ...middle, zoom: 99 }, wide).zoom).toBe(MAX_ZOOM)
  expect(within({ ...middle, zoom: 0 }, wide).zoom).toBe(1)
})
