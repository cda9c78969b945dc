/** A square of a picture: where its middle is, as shares of the picture's width and height, and how far it is zoomed in. */
export interface Crop {
  x: number
  y: number
  zoom: number
}

export interface Size {
  width: number
  height: number
}

export const MAX_ZOOM = 5
export const middle: Crop = { x: 0.5, y: 0.5, zoom: 1 }

/** In pixels of the picture. */
export function squareOf({ x, y, zoom }: Crop, { width, height }: Size) {
  const side = Math.min(width, height) / zoom
  return { left: x * width - side / 2, top: y * height - side / 2, side }
}

/** The nearest square that lies within the picture. */
export function within(crop: Crop, size: Size): Crop {
  const zoom = clamp(crop.zoom, 1, MAX_ZOOM)
  const half = Math.min(size.width, size.height) / zoom / 2
  const [x, y] = [half / size.width, half / size.height]
  return { x: clamp(crop.x, x, 1 - x), y: clamp(crop.y, y, 1 - y), zoom }
}

/** @param by how far the picture is dragged, as shares of the square that is shown */
export function drag(crop: Crop, by: { x: number; y: number }, size: Size): Crop {
  const { side } = squareOf(crop, size)
  return within({ ...crop, x: crop.x - (by.x * side) / size.width, y: crop.y - (by.y * side) / size.height }, size)
}

export const zoomTo = (crop: Crop, zoom: number, size: Size) => within({ ...crop, zoom }, size)

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)
