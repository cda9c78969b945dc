import sharp from 'sharp'

/** The thumbnail's box, and the pixels that are decoded at the most: a page of sixteen bytes can claim billions. */
const BOX = { width: 800, height: 600 }
const PIXELS = 64_000_000
const SECONDS = 10
/** Pictures of more bytes are plain files: one is held in memory while its thumbnail is made. */
export const PICTURE_BYTES = 32 * 1024 * 1024
/** Pictures at once: each takes a thread of four, which the disk needs too. */
const AT_ONCE = 2

// Decoded pictures are not needed twice.
sharp.cache(false)
sharp.concurrency(1)

export interface Picture {
  /** As it is looked at: a camera's turn is done. */
  width: number
  height: number
  /** WebP, without whatever the camera wrote into the original: place, time, device. */
  thumbnail: Buffer
}

let running = 0
const waiting: (() => void)[] = []

/** Looks at a picture, in a thread of its own; undefined where it is broken, or costs too much. */
export async function lookAt(bytes: () => Promise<Buffer>): Promise<Picture | undefined> {
  if (running === AT_ONCE) await new Promise<void>((go) => waiting.push(go))
  else running++
  try {
    return await draw(await bytes())
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

async function draw(bytes: Buffer): Promise<Picture | undefined> {
  try {
    const image = sharp(bytes, { limitInputPixels: PIXELS, failOn: 'error', sequentialRead: true })
    const { autoOrient } = await image.metadata()
    const thumbnail = await image
      .autoOrient()
      .resize({ ...BOX, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: SECONDS })
      .toBuffer()
    return { ...autoOrient, thumbnail }
  } catch {
    return undefined
  }
}
