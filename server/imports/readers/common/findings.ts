import type { StatementSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { limits } from '#contract/limits'
import { MAX_CHANNELS, MAX_EMOJI, MAX_PEOPLE } from '../../archive/bounds.ts'
import { openTemporaryFiles, type TemporaryFiles } from '../../archive/temporary-files.ts'
import type {
  ChannelRecord,
  ContentPart,
  EmojiRecord,
  FileRecord,
  ImportArchive,
  ImportRecord,
  MessageRecord,
  OmissionReport,
  PersonRecord,
} from '../../records.ts'
import { BoundedMap } from './bounded-map.ts'
import { DiskLists } from './disk-lists.ts'
import { limited } from './limited.ts'
import { MemberCount } from './member-count.ts'
import { People } from './people.ts'
import { entryOf } from './values.ts'

/** A message waiting to be sorted, with references to its files in the archive. */
interface Draft extends Omit<MessageRecord, 'kind' | 'files'> {
  files: DraftFile[]
}
export interface DraftFile extends Omit<FileRecord, 'open'> {
  /** Null if the archive does not contain it. */
  entry: string | null
}

interface Replaced {
  content: ContentPart[]
  /** ISO 8601. */
  replacedAt: string
}
/** Of a value in the file. */
interface Place {
  start: number
  length: number
}
type Pin = NonNullable<MessageRecord['pin']>

/** The messages' places in the file. The index contains what is read in order, and the number distinguishes those of one time. */
const TABLES = `
  create table messages (
    number integer primary key, key text not null unique,
    channel integer not null, ms integer not null, start integer not null, length integer not null
  ) strict;
  create index messages_in_order on messages (channel, ms, number, start, length)`

const [REPLACED, PINS] = ['replaced texts', 'pins']

export const noMessage = { parentKey: null, editedAt: null, deletedAt: null, reactions: [], files: [] } as const

/** Drafts are written to disk in pieces of about this size. */
const PIECE_BYTES = 256 * 1024
/** Read at once: messages of a channel are often next to each other. */
const READ_BYTES = 64 * 1024
/** Texts of one message that are read. */
const MOST_REPLACED = 4 * limits.versions.kept

/**
 * Brings the contents of an archive into the order of records. Products write messages in any order, so they are kept in a file,
 * with an index beside it. One byte per message remains in memory.
 */
export class Findings {
  readonly people = new BoundedMap<PersonRecord>(MAX_PEOPLE, 'tooManyPeople')
  /** By name. */
  readonly emoji = new BoundedMap<EmojiRecord>(MAX_EMOJI, 'tooManyEmoji')
  readonly channels = new BoundedMap<ChannelRecord>(MAX_CHANNELS, 'tooManyChannels')
  /** Channels that become a thread of another one, if the message that started it is found. */
  readonly threads = new Map<string, { channelKey: string; parentKey: string }>()
  /** To be told of the members of each channel. */
  readonly members = new MemberCount()
  /** For whatever else a reader has to remember. */
  readonly lists: DiskLists
  /** The messages, and an index of them. */
  readonly #files: TemporaryFiles
  readonly #insert: StatementSync
  readonly #numberOf: StatementSync
  /** The numbers of channels by key. */
  readonly #channels = new BoundedMap<number>(MAX_CHANNELS, 'tooManyChannels')
  #messages = 0
  #piece: Buffer[] = []
  #pieceBytes = 0
  #written = 0
  /** The piece of the file that was read last. */
  readonly #buffer = Buffer.alloc(READ_BYTES)
  #read = { start: 0, bytes: Buffer.alloc(0) }

  private constructor(files: TemporaryFiles, lists: DiskLists) {
    this.#files = files
    this.lists = lists
    this.#insert = files.database.prepare(
      'insert into messages (number, key, channel, ms, start, length) values (?, ?, ?, ?, ?, ?)',
    )
    this.#numberOf = files.database.prepare('select number from messages where key = ?')
  }

  static async open() {
    const lists = await DiskLists.open()
    try {
      return new Findings(await openTemporaryFiles(TABLES), lists)
    } catch (error) {
      await lists.close()
      throw error
    }
  }

  hasMessage = (key: string) => this.#numberOf.get(key) !== undefined

  /** Returns whether it is new: repeated messages are dropped. */
  async addMessage(draft: Draft): Promise<boolean> {
    if (this.hasMessage(draft.key)) return false
    const channel = entryOf(this.#channels, draft.channelKey, () => this.#channels.size)
    const { start, length } = await this.#append(draft)
    this.#insert.run(this.#messages, draft.key, channel, Date.parse(draft.createdAt), start, length)
    this.#messages++
    return true
  }

  /** Adds the text that a message had until it was edited. The texts may come in any order, before or after the message. */
  async addReplaced(key: string, text: Replaced) {
    this.lists.add(REPLACED, key, await this.#append(text))
  }

  /** Says when a message was pinned, and by whom, before or after it is added. The last one counts. */
  setPin(key: string, pin: Pin) {
    this.lists.add(PINS, key, pin)
  }

  pinOf = (key: string) => this.lists.last<Pin>(PINS, key)

  async #append(value: Draft | Replaced): Promise<Place> {
    const bytes = Buffer.from(JSON.stringify(value))
    const start = this.#written + this.#pieceBytes
    this.#piece.push(bytes)
    this.#pieceBytes += bytes.length
    if (this.#pieceBytes > PIECE_BYTES) await this.#write()
    return { start, length: bytes.length }
  }

  async #write() {
    await this.#files.file.writeFile(Buffer.concat(this.#piece))
    this.#written += this.#pieceBytes
    this.#piece = []
    this.#pieceBytes = 0
  }

  /** Everything, in the order of records. */
  async *records(archive: Pick<ImportArchive, 'open'>, report: OmissionReport): AsyncGenerator<ImportRecord> {
    await this.#write()
    const people = new People(report)
    for (const person of this.people.values()) yield* people.add(person)
    for (const emoji of this.emoji.values()) {
      if (emoji.authorKey !== null) yield* people.stranger(emoji.authorKey)
      yield emoji
    }
    for (const channel of this.channels.values()) {
      if (this.#threadOf(channel.key)) continue
      for (const key of [...channel.memberKeys, channel.ownerKey ?? ''].filter(Boolean)) yield* people.stranger(key)
      yield channel
    }
    /** One for each message that has been yielded. */
    const yielded = new Uint8Array(this.#messages)
    const isYielded = (key: string) => yielded[Number(this.#numberOf.get(key)?.['number'] ?? -1)] === 1
    for (const { number, ...place } of this.#inOrder()) {
      const { files, ...draft } = await this.#draft(place)
      const thread = this.#threadOf(draft.channelKey)
      const channelKey = thread?.channelKey ?? draft.channelKey
      if (!this.channels.has(channelKey)) {
        report.add('unknownMessage', draft.key)
        continue
      }
      const parentKey = thread?.parentKey ?? draft.parentKey
      const pin = draft.pin && (this.pinOf(draft.key) ?? draft.pin)
      const named = [
        draft.authorKey,
        ...personsIn(draft.content),
        ...(draft.earlier ?? []).flatMap(({ content }) => personsIn(content)),
        ...draft.reactions.flatMap((it) => it.personKeys),
        ...(pin?.personKey ? [pin.personKey] : []),
      ]
      for (const key of named) yield* people.stranger(key)
      yielded[number] = 1
      const message: MessageRecord = {
        ...draft,
        ...(pin && { pin }),
        kind: 'message',
        channelKey,
        parentKey: parentKey !== null && isYielded(parentKey) ? parentKey : null,
        files: files.map(({ entry, ...file }) => ({
          ...file,
          open: entry === null ? null : () => archive.open(entry),
        })),
      }
      yield* limited(message, report)
    }
  }

  #threadOf(channelKey: string) {
    const thread = this.threads.get(channelKey)
    return thread && this.hasMessage(thread.parentKey) ? thread : undefined
  }

  /** The messages by channel, then time; a thread that was a channel follows its channel's messages. */
  *#inOrder(): Generator<Place & { number: number }> {
    const ofChannel = this.#files.database.prepare(
      'select number, start, length from messages where channel = ? order by ms, number',
    )
    for (const channel of this.#channelsInOrder())
      for (const { number, start, length } of ofChannel.iterate(channel))
        yield { number: Number(number), start: Number(start), length: Number(length) }
  }

  #channelsInOrder(): number[] {
    const places = [...this.#channels].map(([key, number]) => {
      const thread = this.#threadOf(key)
      const outer = thread && this.#channels.get(thread.channelKey)
      return outer === undefined ? { outer: number, inner: -1, number } : { outer, inner: number, number }
    })
    return places.sort((a, b) => a.outer - b.outer || a.inner - b.inner).map(({ number }) => number)
  }

  async #draft(place: Place): Promise<Draft> {
    const draft = await this.#valueAt<Draft>(place)
    const replaced: Replaced[] = []
    for (const text of this.lists.all<Place>(REPLACED, draft.key, MOST_REPLACED))
      replaced.push(await this.#valueAt(text))
    return replaced.length > 0 ? withReplaced(draft, replaced) : draft
  }

  async #valueAt<T>({ start, length }: Place): Promise<T> {
    const { start: first, bytes } = this.#read
    if (start < first || start + length > first + bytes.length) {
      const into = length > READ_BYTES ? Buffer.alloc(length) : this.#buffer
      const { bytesRead } = await this.#files.file.read(into, 0, into.length, start)
      this.#read = { start, bytes: into.subarray(0, bytesRead) }
    }
    const at = start - this.#read.start
    return JSON.parse(this.#read.bytes.toString('utf8', at, at + length))
  }

  async close() {
    await this.lists.close().finally(this.#files.close)
  }
}

/** A text was written when the one before it was replaced. A message that was only pinned, for example, has the same text again. */
function withReplaced(draft: Draft, replaced: Replaced[]): Draft {
  const versions: { content: ContentPart[]; writtenAt: string }[] = []
  let writtenAt = draft.createdAt
  for (const { content, replacedAt } of [
    ...replaced.sort((a, b) => Date.parse(a.replacedAt) - Date.parse(b.replacedAt)),
    { content: draft.content, replacedAt: '' },
  ]) {
    const last = versions.at(-1)
    if (!last || !isDeepStrictEqual(last.content, content)) versions.push({ content, writtenAt })
    writtenAt = replacedAt
  }
  const earlier = versions.slice(0, -1)
  return earlier.length > 0
    ? { ...draft, earlier, editedAt: draft.editedAt ?? versions.at(-1)?.writtenAt ?? null }
    : draft
}

const personsIn = (content: ContentPart[]) => content.flatMap((part) => ('person' in part ? [part.person] : []))
