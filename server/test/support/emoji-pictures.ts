import sharp from 'sharp'
import { PICTURE } from './fixture.ts'
import type { Person } from './parley.ts'

/** A GIF of three frames. */
export function movingPicture(): Promise<Buffer> {
  const side = 8
  const raw = Buffer.from(
    Array.from({ length: side * side * 3 * 3 }, (_, at) => Math.floor(at / (side * side * 3)) * 80),
  )
  const image = sharp(raw, { raw: { width: side, height: side * 3, channels: 3, pageHeight: side } })
  return image.gif({ delay: [80, 80, 80], loop: 0 }).toBuffer()
}

/** Adds an emoji, by default a still one. */
export async function addEmoji(by: Person, name: string, bytes: Uint8Array = PICTURE, aliases: string[] = []) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'emoji')
  const path = `/api/emoji/${encodeURIComponent(name)}`
  const answers = [await by.post(path, form)]
  for (const alias of aliases) answers.push(await by.post(`${path}/aliases`, { alias }))
  for (const { status, body } of answers) if (status !== 201) throw new Error(`${name}: ${JSON.stringify(body)}`)
}

export const isMoving = async (picture: Buffer) => ((await sharp(picture).metadata()).pages ?? 1) > 1
