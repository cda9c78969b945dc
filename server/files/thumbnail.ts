import pLimit from 'p-limit'
import sharp, { type Metadata } from 'sharp'
import type { Bounds } from '../limits/bounds.ts'

const MAX_SIZE = { width: 800, height: 600 }
/** A tiny file can claim billions of pixels. */
const MAX_PIXELS = 64_000_000
const TIMEOUT_SECONDS = 10

// Each picture is decoded only once.
sharp.cache(false)
sharp.concurrency(1)

export interface Picture {
  /** After applying the camera's orientation. */
  width: number
  height: number
  /** WebP, without metadata such as place, time and device. */
  thumbnail: Buffer
}

// One at a time: each uses one of libuv's four threads, which the disk needs too, and up to `bounds.pictureBytes` of memory.
const gate = pLimit(1)

/** Returns undefined if the picture is broken or too expensive to decode. */
export const makeThumbnail = (bytes: () => Promise<Buffer>, max: Bounds['pictureBytes']) =>
  gate(async () => resize(await bytes(), max))

async function resize(bytes: Buffer, max: Bounds['pictureBytes']): Promise<Picture | undefined> {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
    const metadata = await image.metadata()
    if (decodedBytes(metadata) > max.decoded) return undefined
    const thumbnail = await image
      .autoOrient()
      .resize({ ...MAX_SIZE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer()
    return { ...metadata.autoOrient, thumbnail }
  } catch {
    return undefined
  }
}

/** Coefficients of one pixel where the colours of a JPEG are coarser than its light, as those of most are. */
const COEFFICIENTS: Record<string, number> = { '4:2:0': 1.5, '4:2:2': 2 }

/** Bytes of one sample by what the library calls its format. */
const SAMPLES: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2 }

/**
 * What decoding a picture takes at the most. Of a plain PNG or JPEG a few rows are held at a time. All of it is held where
 * the first row is known with the last (interlaced, progressive), where the format knows no rows, and to turn it.
 */
export function decodedBytes(metadata: Metadata): number {
  const { format, width, height, channels, depth, isProgressive, orientation = 1, chromaSubsampling = '' } = metadata
  const isTurned = orientation > 4
  const bytesOfPixel = channels * (SAMPLES[depth] ?? 8)
  if (format === 'png') return isProgressive || isTurned ? width * height * bytesOfPixel : width * bytesOfPixel * ROWS
  if (format === 'jpeg') {
    // Sixteen bits for each coefficient; a picture that is turned was made smaller before.
    const coefficients = COEFFICIENTS[chromaSubsampling] ?? channels
    return isProgressive ? width * height * coefficients * 2 : width * bytesOfPixel * ROWS
  }
  // The frame as it is coded, and the pixels that are made of it.
  return width * height * bytesOfPixel * 2
}

/** Rows that are held of a picture that is read from the top to the bottom. */
const ROWS = 256
