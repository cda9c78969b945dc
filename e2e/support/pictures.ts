import sharp from 'sharp'

/** A single-color PNG. */
export const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2f7d5b' } })
    .png()
    .toBuffer()
