import pLimit from 'p-limit'
import type { Metadata, Sharp } from 'sharp'
import { EMOJI_SIDE_PX, MAX_EMOJI_BYTES } from '#contract/custom-emoji'
import type { Bounds } from '../limits/bounds.ts'

const MAX_SIZE = { width: 800, height: 600 }
/** A tiny file can claim billions of pixels. */
const MAX_PIXELS = 64_000_000
const TIMEOUT_SECONDS = 10

interface Picture {
  /** After applying the camera's orientation. */
  width: number
  height: number
  /** WebP, without metadata such as place, time and device. */
  thumbnail: Buffer
}

// One at a time: each uses one of libuv's four threads, which the disk also needs, and up to `bounds.pictureBytes` of memory.
const gate = pLimit(1)

/** Returns undefined if the picture is broken or too expensive to decode. */
export const makeThumbnail = (bytes: () => Promise<Buffer>, max: Bounds['pictureBytes']) =>
  gate(async () => resize(await bytes(), max))

/** Loaded lazily, because it takes megabytes. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // Each picture is decoded only once.
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

async function resize(bytes: Buffer, max: Bounds['pictureBytes']): Promise<Picture | undefined> {
  return decode(bytes, max, async (image, metadata) => {
    const thumbnail = await image
      .resize({ ...MAX_SIZE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer()
    return { ...metadata.autoOrient, thumbnail }
  })
}

/** Passes an upright picture to `make`, with all frames if it is `animated`. Undefined if decoding or `make` fails, or would be too expensive. */
async function decode<T>(
  bytes: Buffer,
  max: Bounds['pictureBytes'],
  make: (image: Sharp, metadata: Metadata) => Promise<T> | T,
  animated = false,
): Promise<T | undefined> {
  const sharp = await loadSharp()
  try {
    const image = sharp(bytes, { animated, limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
    const metadata = await image.metadata()
    if (decodedBytes(metadata) > max.decoded) return undefined
    // Frames can't be turned.
    const upright = animated ? image : image.autoOrient()
    return await make(upright.timeout({ seconds: TIMEOUT_SECONDS }), metadata)
  } catch {
    return undefined
  }
}

/** The middle square in each size, on white, without metadata. Undefined if the picture is broken or too expensive to decode. */
export const makeSquares = (bytes: Buffer, sides: readonly number[], max: Bounds['pictureBytes']) =>
  gate(() =>
    decode(bytes, max, async (image) => {
      const largest = Math.max(...sides)
      const { data, info } = await image
        .resize({ width: largest, height: largest, fit: 'cover' })
        .flatten({ background: '#fff' })
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true })
      const sharp = await loadSharp()
      const raw = { width: info.width, height: info.height, channels: info.channels }
      const squares: Buffer[] = []
      for (const side of sides)
        squares.push(await sharp(data, { raw }).resize(side, side).webp({ quality: 82 }).toBuffer())
      return squares
    }),
  )

/** More take too long to encode. */
const MAX_FRAMES = 150
/** What is tried in turn until a moving emoji is small enough. */
const MOVING_QUALITIES = [
  { side: EMOJI_SIDE_PX, quality: 75 },
  { side: EMOJI_SIDE_PX / 2, quality: 75 },
  { side: EMOJI_SIDE_PX / 2, quality: 30 },
]

const encodeEmoji = (image: Sharp, side: number, quality: number) =>
  image
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality, effort: 2 })
    .toBuffer()

const stillEmoji = (bytes: Buffer, max: Bounds['pictureBytes']) =>
  decode(bytes, max, (image) => encodeEmoji(image, EMOJI_SIDE_PX, 82))

/** The first frame of a picture as an emoji. Undefined if it is broken or too expensive to decode. */
export const makeStillEmoji = (bytes: Buffer, max: Bounds['pictureBytes']) => gate(() => stillEmoji(bytes, max))

/**
 * A picture as an emoji: the still one and, if it has several frames, the moving one.
 * @returns undefined if the picture is broken or too expensive to decode; 'too large' if only all of its frames are
 */
export const makeEmoji = (bytes: Buffer, max: Bounds['pictureBytes']) =>
  gate(async () => {
    const still = await stillEmoji(bytes, max)
    if (!still) return undefined
    const moving = (side: number, quality: number) =>
      decode<Buffer | number>(
        bytes,
        max,
        (image, { pages = 1 }) => {
          if (pages === 1 || pages > MAX_FRAMES) return pages
          return encodeEmoji(image, side, quality)
        },
        true,
      )
    for (const { side, quality } of MOVING_QUALITIES) {
      const frames = await moving(side, quality)
      if (frames === 1) return [still]
      if (frames === undefined || typeof frames === 'number') break
      if (frames.length <= MAX_EMOJI_BYTES) return [still, frames]
    }
    return 'too large'
  })

/** Coefficients per pixel of JPEGs with chroma subsampling, which most of them use. */
const COEFFICIENTS_PER_PIXEL: Record<string, number> = { '4:2:0': 1.5, '4:2:2': 2 }

/** By the library's format name. */
const BYTES_PER_SAMPLE: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2 }

/**
 * The maximum memory for decoding a picture. Plain PNGs and JPEGs are decoded row by row. Interlaced and progressive ones, other
 * formats and rotated pictures need all pixels at once.
 */
export function decodedBytes(metadata: Metadata): number {
  const { format, width, height, channels, depth, isProgressive, orientation = 1, chromaSubsampling = '' } = metadata
  const isRotated = orientation > 4
  const bytesPerPixel = channels * (BYTES_PER_SAMPLE[depth] ?? 8)
  if (format === 'png')
    return isProgressive || isRotated ? width * height * bytesPerPixel : width * bytesPerPixel * BUFFERED_ROWS
  if (format === 'jpeg') {
    // Two bytes per coefficient. Rotation happens after scaling down.
    const coefficients = COEFFICIENTS_PER_PIXEL[chromaSubsampling] ?? channels
    return isProgressive ? width * height * coefficients * 2 : width * bytesPerPixel * BUFFERED_ROWS
  }
  // The encoded frame and its pixels.
  return width * height * bytesPerPixel * 2
}

/** Rows in memory when decoding row by row. */
const BUFFERED_ROWS = 256
