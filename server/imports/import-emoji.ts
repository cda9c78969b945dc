import { buffer } from 'node:stream/consumers'
import type { Transaction } from 'kysely'
import { MAX_EMOJI_UPLOAD_BYTES } from '#contract/custom-emoji'
import { limits } from '#contract/limits'
import type { DB } from '../db/schema.ts'
import { adoptEmoji, type NewEmoji, storePictures } from '../files/store-emoji.ts'
import { makeEmoji, makeStillEmoji } from '../files/thumbnail.ts'
import type { Services } from '../services.ts'
import { EmojiNames } from './emoji-names.ts'
import type { KnownPerson } from './import-people.ts'
import { holdImport, type ImportJob } from './import-rows.ts'
import type { EmojiRecord, Omission } from './records.ts'
import { timeOf } from './times.ts'

type EmojiServices = Pick<Services, 'bounds' | 'db' | 'storage'>

/** Pages load the list of emoji after each change, so several are added at a time. */
const BATCH = 50
/** Refused ones cost time, too, so an archive of millions isn't read to its end. */
const MAX_TRIED = limits.emoji.all + 500

/** Why emoji of the archive would not be imported. */
export class EmojiCheck {
  readonly #bounds: Services['bounds']
  readonly #names: EmojiNames
  #tried = 0

  constructor(bounds: Services['bounds'], names: EmojiNames) {
    this.#bounds = bounds
    this.#names = names
  }

  /** Undefined if it would be imported. */
  async omissionOf(record: EmojiRecord): Promise<Omission | undefined> {
    if (this.#names.has(record.key)) return 'takenEmoji'
    if (!this.#names.mayTake(record) || ++this.#tried > MAX_TRIED) return 'refusedEmoji'
    const picture = await readPicture(record)
    if (!picture || !(await makeStillEmoji(picture, this.#bounds.pictureBytes))) return 'refusedEmoji'
    this.#names.take(record)
    return undefined
  }
}

interface Options {
  services: EmojiServices
  job: ImportJob
  people: ReadonlyMap<string, KnownPerson>
}

/**
 * Adds the emoji of an archive, apart from those whose name is taken or that can't be shown. They precede the messages, whose
 * reactions contain their names.
 */
export class EmojiImport {
  readonly #options: Options
  readonly names: EmojiNames
  #waiting: NewEmoji[] = []
  #tried = 0

  private constructor(options: Options, names: EmojiNames) {
    this.#options = options
    this.names = names
  }

  static open = async (options: Options) => new EmojiImport(options, await EmojiNames.read(options.services.db))

  /** @returns whether there is an emoji of that name then */
  async add(record: EmojiRecord): Promise<boolean> {
    if (this.names.has(record.key)) {
      this.names.take(record)
      return true
    }
    if (!this.names.mayTake(record) || ++this.#tried > MAX_TRIED) return false
    const { services, job, people } = this.#options
    const pictures = await makePictures(services, record)
    if (!pictures) return false
    const author = record.authorKey === null ? undefined : people.get(record.authorKey)
    const at = timeOf(record.createdAt)
    this.#waiting.push({
      names: this.names.take(record),
      userId: author?.id ?? job.userId,
      pictures,
      importId: job.id,
      ...(at !== null && { createdAt: new Date(at).toISOString() }),
    })
    if (this.#waiting.length === BATCH) await this.flush()
    return true
  }

  /** Adds those that wait. Everybody sees them at once. */
  async flush() {
    const { services, job } = this.#options
    const waiting = this.#waiting
    this.#waiting = []
    const stored: { emoji: NewEmoji; fileId: string }[] = []
    for (const emoji of waiting) stored.push({ emoji, fileId: await storePictures(services, emoji) })
    if (stored.length === 0) return
    await services.db.transaction().execute(async (tx) => {
      await holdImport(tx, job)
      // One change at a time, so that no name is taken twice.
      await tx.selectFrom('workspace').select('id').forNoKeyUpdate().execute()
      await this.#giveBack(
        tx,
        stored.flatMap(({ emoji }) => emoji.names),
      )
      const free = stored.flatMap(({ emoji, fileId }) => {
        const [key] = emoji.names
        const names = emoji.names.filter((name) => this.names.get(name) === key)
        return names[0] === key ? [{ ...emoji, names, fileId }] : []
      })
      await adoptEmoji(tx, free)
    })
  }

  /** Somebody may have given a name to another emoji in the meantime. */
  async #giveBack(tx: Transaction<DB>, names: string[]) {
    const now = await EmojiNames.read(tx, names)
    for (const name of names) if (now.has(name)) this.names.set(name, now.get(name) as string)
  }
}

async function readPicture({ size, open }: EmojiRecord): Promise<Buffer | undefined> {
  const isUsable = (bytes: number) => bytes > 0 && bytes <= MAX_EMOJI_UPLOAD_BYTES
  if (size !== null && !isUsable(size)) return undefined
  const picture = await buffer(await open())
  return isUsable(picture.length) ? picture : undefined
}

async function makePictures({ bounds }: EmojiServices, record: EmojiRecord): Promise<Buffer[] | undefined> {
  const picture = await readPicture(record)
  const made = picture && (await makeEmoji(picture, bounds.pictureBytes))
  if (made !== 'too large') return made
  // One that moves for too long stands still.
  const still = picture && (await makeStillEmoji(picture, bounds.pictureBytes))
  return still && [still]
}
