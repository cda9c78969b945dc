import { Readable } from 'node:stream'
import { fold } from '#contract/fold'
import { detectType, isPicture, SAMPLE_BYTES } from '../files/file-type.ts'
import { type Storage, storageKeyOf, thumbnailKeyOf } from '../files/storage.ts'
import { makeThumbnail } from '../files/thumbnail.ts'
import { bounds } from '../limits/bounds.ts'
import { papers } from './papers.ts'
import { pictures } from './pictures.ts'

/** A file with the columns of its row. */
export interface FileMade {
  name: string
  foldedName: string
  type: string
  size: number
  width: number | null
  height: number | null
  bytes: Buffer
  thumbnail: Buffer | undefined
}

const CLAIMED: Record<string, string> = { csv: 'text/csv', md: 'text/markdown', json: 'application/json' }

/** Draws and writes all files of the demo; nothing is fetched. */
export async function makeFiles(): Promise<(name: string) => FileMade> {
  const made = new Map<string, FileMade>()
  for (const [name, draw] of Object.entries({ ...pictures, ...papers })) {
    const bytes = await draw()
    const type = await detectType(bytes.subarray(0, SAMPLE_BYTES), CLAIMED[name.split('.').at(-1) ?? ''] ?? '')
    const picture = isPicture(type) ? await makeThumbnail(async () => bytes, bounds.pictureBytes) : undefined
    const { width = null, height = null, thumbnail } = picture ?? {}
    made.set(name, { name, foldedName: fold(name), type, size: bytes.length, width, height, bytes, thumbnail })
  }
  return (name) => {
    const file = made.get(name)
    if (!file) throw new Error(`There is no file ${name} in the demo`)
    return file
  }
}

/** Stores a file's bytes and its thumbnail in the server's storage. */
export async function keepBytes(
  storage: Storage,
  id: string,
  { bytes, thumbnail }: Pick<FileMade, 'bytes' | 'thumbnail'>,
) {
  await storage.write(storageKeyOf(id), Readable.from([bytes]))
  if (thumbnail) await storage.write(thumbnailKeyOf(id), Readable.from([thumbnail]))
}
