import sharp from 'sharp'

/** A PNG of one colour. */
export const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2f7d5b' } })
    .png()
    .toBuffer()
