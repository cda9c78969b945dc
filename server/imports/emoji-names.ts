import { type Kysely, sql } from 'kysely'
import { customName, EmojiName } from '#contract/emoji'
import { limits } from '#contract/limits'
import type { DB } from '../db/schema.ts'
import { emojiNamed } from './readers/common/emoji.ts'
import type { EmojiRecord } from './records.ts'

/** The names of the workspace's emoji, and those that an import takes. */
export class EmojiNames {
  /** The first name of each emoji, by any of its names. */
  readonly #firstNames: Map<string, string>
  #count: number

  private constructor(firstNames: Map<string, string>) {
    this.#firstNames = firstNames
    this.#count = new Set(firstNames.values()).size
  }

  /** @param names only these */
  static async read(db: Kysely<DB>, names?: string[]): Promise<EmojiNames> {
    const rows = await db
      .selectFrom('emoji_names')
      .innerJoin('emoji_names as main', (join) =>
        join.onRef('main.emojiId', '=', 'emoji_names.emojiId').on('main.isAlias', '=', false),
      )
      .select(['emoji_names.name', 'main.name as firstName'])
      .$if(names !== undefined, (row) => row.where('emoji_names.name', '=', sql<string>`any(${names}::text[])`))
      .execute()
    return new EmojiNames(new Map(rows.map(({ name, firstName }) => [name, firstName])))
  }

  has = (name: string) => this.#firstNames.has(name)
  get = (name: string) => this.#firstNames.get(name)
  set = (name: string, firstName: string) => this.#firstNames.set(name, firstName)

  /** Whether an emoji of the archive may be added under its first name. */
  mayTake({ key }: EmojiRecord) {
    return !this.has(key) && this.#count < limits.emoji.all && isAllowed(key)
  }

  /**
   * Takes the names of an emoji of the archive, and returns those to store, the first one leading. If that is taken, nothing is
   * stored: the emoji of that name stays, and the further names mean that one in reactions.
   */
  take({ key, aliases }: EmojiRecord): string[] {
    const firstName = this.get(key) ?? key
    const isNew = !this.has(key)
    const free = aliases.filter((alias) => alias !== key && !this.has(alias) && isAllowed(alias))
    const further = [...new Set(free)].slice(0, limits.emoji.aliases)
    const names = isNew ? [key, ...further] : further
    for (const name of names) this.set(name, firstName)
    if (isNew) this.#count++
    return isNew ? names : []
  }

  /** An emoji of a reaction, under its first name here. One that the workspace lacks stays `:name:`. Undefined for others. */
  here(emoji: string): string | undefined {
    const name = customName(emoji)
    return name === undefined ? undefined : `:${this.get(name) ?? name}:`
  }
}

/** Whether a name may be given: it has the right form, and Unicode has no emoji of that name. */
const isAllowed = (name: string) => EmojiName.safeParse(name).data === name && !emojiNamed(name)
