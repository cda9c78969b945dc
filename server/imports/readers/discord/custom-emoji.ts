import { foldEmojiName } from '#contract/emoji'
import { limits } from '#contract/limits'
import { MAX_EMOJI } from '../../archive/bounds.ts'
import type { EmojiRecord, ImportArchive, OmissionReport } from '../../records.ts'
import { BoundedMap } from '../common/bounded-map.ts'
import type { Findings } from '../common/findings.ts'
import { type Fields, textOf } from '../common/values.ts'
import { timeOfId } from './discord-ids.ts'

/** Discord's custom emoji. There is no list of them: each message contains those that it uses. */
export class CustomEmoji {
  readonly #archive: ImportArchive
  readonly #findings: Findings
  readonly #report: OmissionReport
  /** Those with a picture, by id; null for those whose name another one has. */
  readonly #byId = new BoundedMap<EmojiRecord | null>(MAX_EMOJI, 'tooManyEmoji')

  constructor(archive: ImportArchive, findings: Findings, report: OmissionReport) {
    this.#archive = archive
    this.#findings = findings
    this.#report = report
  }

  /** Whether the archive has its picture, or a report says why it is left out. */
  has = (id: string) => this.#byId.has(id)

  /** Adds a custom emoji with a picture. Messages from before it was renamed contain its former name. */
  add(emoji: Fields, picture: ImportArchive['entries'][number] | undefined) {
    const id = textOf(emoji['id'])
    const key = foldEmojiName(textOf(emoji['name']))
    if (!id || !key || !picture) return
    const known = this.#byId.get(id)
    if (known === undefined) this.#byId.set(id, this.#addNew(id, key, picture))
    else if (known && known.key !== key && !known.aliases.includes(key) && known.aliases.length < limits.emoji.aliases)
      known.aliases.push(key)
  }

  #addNew(id: string, key: string, { name, size }: ImportArchive['entries'][number]): EmojiRecord | null {
    const { emoji } = this.#findings
    if (emoji.has(key)) {
      this.#report.add('takenEmoji', `:${key}:`)
      return null
    }
    const createdAt = timeOfId(id)
    const record: EmojiRecord = {
      kind: 'emoji',
      key,
      aliases: [],
      authorKey: null,
      createdAt,
      size,
      open: () => this.#archive.open(name),
    }
    emoji.set(key, record)
    return record
  }
}
