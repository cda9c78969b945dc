import pLimit from 'p-limit'
import type { Metadata, Sharp } from 'sharp'
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

/** Passes an upright picture to `make`. Undefined if decoding or `make` fails, or would be too expensive. */
async function decode<T>(
  bytes: Buffer,
  max: Bounds['pictureBytes'],
  make: (image: Sharp, metadata: Metadata) => Promise<T>,
): Promise<T | undefined> {
  const sharp = await loadSharp()
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
    const metadata = await image.metadata()
    if (decodedBytes(metadata) > max.decoded) return undefined
    return await make(image.autoOrient().timeout({ seconds: TIMEOUT_SECONDS }), metadata)
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
