import sharp, { type JpegOptions } from 'sharp'
import { expect, test } from 'vitest'
import { decodedBytes } from '../../files/thumbnail.ts'
import { bounds } from '../../limits/bounds.ts'

/** Metadata as of a picture with these dimensions. */
async function metadataOf(coding: JpegOptions, width: number, height: number) {
  const small = sharp({ create: { width: 16, height: 16, channels: 3, background: 'teal' } }).jpeg(coding)
  return { ...(await sharp(await small.toBuffer()).metadata()), width, height }
}

test.each<[string, JpegOptions, boolean]>([
  ['plain', {}, true],
  ['progressive, as exported for the web', { progressive: true, chromaSubsampling: '4:2:0' }, true],
  ['progressive with fine colours', { progressive: true, chromaSubsampling: '4:4:4' }, false],
])('a thumbnail of a 24-megapixel photo: %s', async (_, coding, isLookedAt) => {
  const bytes = decodedBytes(await metadataOf(coding, 6000, 4000))
  expect(bytes <= bounds.pictureBytes.decoded).toBe(isLookedAt)
})
