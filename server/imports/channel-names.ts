import { ChannelName } from '#contract/channel-name'
import { limits } from '#contract/limits'
import type { Db } from '../db/database.ts'
import { looksReserved } from '../text/lookalike-names.ts'
import { tidyName } from './tidy-name.ts'

/** Space for a suffix of the product's name and a number. */
const SUFFIX_CHARACTERS = 20

/** The channel names that are taken. */
export class ChannelNames {
  readonly #taken: Set<string>
  /** The next number for each name that occurred before: thousands may be the same. */
  readonly #numbers = new Map<string, number>()

  constructor(names: string[]) {
    this.#taken = new Set(names.map((name) => name.toLowerCase()))
  }

  add(name: string) {
    this.#taken.add(name.toLowerCase())
  }

  /** A valid free name: the archive's own, or one with the product's name and a number appended. */
  free(asked: string, source: string): string {
    const plain = tidyName(asked, limits.channelName)
    const name = isValid(plain) ? plain : `imported-${plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')}`
    if (this.#isFree(name) && isValid(name)) return name
    const stem = tidyName(name, limits.channelName - SUFFIX_CHARACTERS).replace(/-$/, '')
    const base = `${isValid(`${stem}-${source}`) ? stem : 'imported'}-${source}`
    for (let n = this.#numbers.get(base) ?? 1; ; n++) {
      const tried = n === 1 ? base : `${base}-${n}`
      if (!this.#isFree(tried)) continue
      this.#numbers.set(base, n)
      return tried
    }
  }

  #isFree(name: string) {
    return !this.#taken.has(name.toLowerCase())
  }
}

/** Reads the names of channels, without direct messages, whose names are only labels. */
export async function readChannelNames(db: Db): Promise<ChannelNames> {
  const rows = await db
    .selectFrom('channels')
    .select('name')
    .where('deletedAt', 'is', null)
    .where('kind', '<>', 'direct')
    .execute()
  return new ChannelNames(rows.map(({ name }) => name))
}

const isValid = (name: string) => ChannelName.safeParse(name).data === name && !looksReserved(name)
