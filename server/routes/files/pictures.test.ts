import sharp from 'sharp'
import { expect, test } from 'vitest'
import { longTest } from '../../test/support/long.ts'
import { startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada } = await parley.people('ada')

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
const upload = async (name: string, bytes: Buffer) => (await ada.upload(undefined, name, new Uint8Array(bytes))).body
async function thumbnailOf({ thumbnailUrl }: { thumbnailUrl: string }) {
  const answer = await fetch(parley.address + thumbnailUrl, { headers: { authorization: `Bearer ${ada.token}` } })
  return Buffer.from(await answer.arrayBuffer())
}

test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
  'a %s image has dimensions and a thumbnail',
  async (format) => {
    const file = await upload(`x.${format}`, await picture(1600, 800).toFormat(format).toBuffer())
    expect(file).toMatchObject({ type: `image/${format}`, width: 1600, height: 800 })
    expect(await sharp(await thumbnailOf(file)).metadata()).toMatchObject({ format: 'webp', width: 800, height: 400 })
  },
)

test('a rotated photo is shown upright, and its thumbnail contains no location', async () => {
  const exif = { IFD0: { Make: 'A Camera' }, IFD3: { GPSLatitude: '48/1 51/1 30/1', GPSLatitudeRef: 'N' } }
  const bytes = await picture(60, 40).jpeg().withExif(exif).withMetadata({ orientation: 6, exif }).toBuffer()
  expect((await sharp(bytes).metadata()).exif).toBeDefined()
  const file = await upload('turned.jpg', bytes)
  expect(file).toMatchObject({ width: 40, height: 60 })
  const thumbnail = await thumbnailOf(file)
  const { width, height, exif: left, xmp, icc } = await sharp(thumbnail).metadata()
  expect({ width, height, left, xmp, icc }).toEqual({ width: 40, height: 60 })
  expect(thumbnail.includes('A Camera')).toBe(false)
})

/** A PNG that claims huge dimensions with hardly any data: decoding it would need gigabytes. */
async function bomb() {
  const bytes = await picture(8, 8).png().toBuffer()
  bytes.writeUInt32BE(50_000, 16)
  bytes.writeUInt32BE(50_000, 20)
  bytes.writeUInt32BE(crc(bytes.subarray(12, 29)), 29)
  return bytes
}

function crc(bytes: Buffer) {
  let sum = ~0
  for (const byte of bytes) {
    sum ^= byte
    for (let i = 0; i < 8; i++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return ~sum >>> 0
}

test('an image that is broken or too expensive to decode is stored as a plain file', async () => {
  const plain = { width: null, height: null, thumbnailUrl: null }
  const before = process.memoryUsage().rss
  expect(await upload('bomb.png', await bomb())).toMatchObject({ type: 'image/png', ...plain })
  // Sixty-five million pixels in a few kilobytes.
  const wide = await picture(13_000, 5_000).png({ compressionLevel: 9 }).toBuffer()
  expect(wide.length).toBeLessThan(1_000_000)
  expect(await upload('wide.png', wide)).toMatchObject(plain)
  const jpeg = await picture(2000, 2000).jpeg().toBuffer()
  expect(await upload('half.jpg', jpeg.subarray(0, jpeg.length / 2))).toMatchObject({ type: 'image/jpeg', ...plain })
  expect(await upload('no.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))).toMatchObject(plain)
  expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000)
})

test('the thumbnail of an animated image shows its first frame', async () => {
  const frames = Array.from({ length: 1000 }, (_, i) => Buffer.alloc(16 * 16 * 3, i % 250))
  const film = await sharp(Buffer.concat(frames), { raw: { width: 16, height: 16_000, channels: 3, pageHeight: 16 } })
    .gif({ loop: 0 })
    .toBuffer()
  expect((await sharp(film).metadata()).pages).toBeGreaterThan(100)
  expect(await upload('film.gif', film)).toMatchObject({ type: 'image/gif', width: 16, height: 16 })
})

longTest('other requests are answered while many pictures are decoded', async () => {
  const count = 8
  const bytes = await picture(4000, 3000).jpeg().toBuffer()
  let isDone = false
  const uploads = Promise.all(Array.from({ length: count }, (_, i) => upload(`${i}.jpg`, bytes))).finally(() => {
    isDone = true
  })
  let answered = 0
  for (; !isDone; answered++) expect(await ada.get('/api/channels')).toMatchObject({ status: 200 })
  // A server that decodes on its main thread would respond once or twice between two pictures.
  expect(answered).toBeGreaterThan(4 * count)
  for (const file of await uploads) expect(file).toMatchObject({ width: 4000, height: 3000 })
})
