import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { limits } from '#contract/limits'
import { MAX_CHANNELS, MAX_PEOPLE } from '../../archive/bounds.ts'
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
import { limited } from './limited.ts'
import { People } from './people.ts'

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

export const noMessage = { parentKey: null, editedAt: null, deletedAt: null, reactions: [], files: [] } as const

/** Drafts are written to disk in pieces of about this size. */
const PIECE_BYTES = 256 * 1024
/** Read at once: messages of a channel are often next to each other. */
const READ_BYTES = 64 * 1024
/** Texts of one message that are read. */
const MOST_REPLACED = 4 * limits.versions.kept

/**
 * Brings the contents of an archive into the order of records. Products write messages in any order, so they are kept in a file;
 * about 150 bytes per message remain in memory.
 */
export class Findings {
  readonly people = new BoundedMap<string, PersonRecord>(MAX_PEOPLE, 'tooManyPeople')
  /** By name. */
  readonly emoji = new Map<string, EmojiRecord>()
  readonly channels = new BoundedMap<string, ChannelRecord>(MAX_CHANNELS, 'tooManyChannels')
  /** Channels that become a thread of another one, if the message that started it is found. */
  readonly threads = new Map<string, { channelKey: string; parentKey: string }>()
  /** When messages were pinned, and by whom, if other messages say so. */
  readonly pins = new Map<string, NonNullable<MessageRecord['pin']>>()
  readonly #folder: string
  readonly #file: FileHandle
  readonly #channelNumbers = new Map<string, number>()
  /** The numbers of messages by key. */
  readonly #messages = new Map<string, number>()
  readonly #replaced = new Map<string, Place[]>()
  readonly #index = { channel: [] as number[], ms: [] as number[], start: [] as number[], length: [] as number[] }
  #piece: Buffer[] = []
  #pieceBytes = 0
  #written = 0
  /** The piece of the file that was read last. */
  readonly #buffer = Buffer.alloc(READ_BYTES)
  #read = { start: 0, bytes: Buffer.alloc(0) }

  private constructor(folder: string, file: FileHandle) {
    this.#folder = folder
    this.#file = file
  }

  static async open() {
    const folder = await mkdtemp(join(tmpdir(), 'parley-import-'))
    return new Findings(folder, await open(join(folder, 'messages'), 'w+'))
  }

  hasMessage = (key: string) => this.#messages.has(key)

  /** Returns whether it is new: repeated messages are dropped. */
  async addMessage(draft: Draft): Promise<boolean> {
    if (this.#messages.has(draft.key)) return false
    this.#messages.set(draft.key, this.#messages.size)
    let channel = this.#channelNumbers.get(draft.channelKey)
    if (channel === undefined) {
      channel = this.#channelNumbers.size
      this.#channelNumbers.set(draft.channelKey, channel)
    }
    const { start, length } = await this.#append(draft)
    this.#index.channel.push(channel)
    this.#index.ms.push(Date.parse(draft.createdAt))
    this.#index.start.push(start)
    this.#index.length.push(length)
    return true
  }

  /** Adds the text that a message had until it was edited. The texts may come in any order, before or after the message. */
  async addReplaced(key: string, text: Replaced) {
    const places = this.#replaced.get(key) ?? []
    this.#replaced.set(key, places)
    places.push(await this.#append(text))
  }

  async #append(value: Draft | Replaced): Promise<Place> {
    const bytes = Buffer.from(JSON.stringify(value))
    const start = this.#written + this.#pieceBytes
    this.#piece.push(bytes)
    this.#pieceBytes += bytes.length
    if (this.#pieceBytes > PIECE_BYTES) await this.#write()
    return { start, length: bytes.length }
  }

  async #write() {
    await this.#file.writeFile(Buffer.concat(this.#piece))
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
    const yielded = new Uint8Array(this.#messages.size)
    const isYielded = (key: string) => yielded[this.#messages.get(key) ?? -1] === 1
    for (const number of this.#order()) {
      const { files, ...draft } = await this.#draft(number)
      const thread = this.#threadOf(draft.channelKey)
      const channelKey = thread?.channelKey ?? draft.channelKey
      if (!this.channels.has(channelKey)) {
        report.add('unknownMessage', draft.key)
        continue
      }
      const parentKey = thread?.parentKey ?? draft.parentKey
      const pin = draft.pin && (this.pins.get(draft.key) ?? draft.pin)
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
    return thread && this.#messages.has(thread.parentKey) ? thread : undefined
  }

  /** The messages' numbers by channel, then time; a thread that was a channel follows its channel's messages. */
  #order(): Uint32Array {
    const { channel, ms } = this.#index
    const places = new Map<number, [number, number]>()
    for (const [key, number] of this.#channelNumbers) {
      const thread = this.#threadOf(key)
      const outer = thread && this.#channelNumbers.get(thread.channelKey)
      places.set(number, outer === undefined ? [number, -1] : [outer, number])
    }
    const place = (number: number) => places.get(channel[number] as number) as [number, number]
    return Uint32Array.from(channel.keys()).sort((a, b) => {
      const [x, y] = [place(a), place(b)]
      return x[0] - y[0] || x[1] - y[1] || (ms[a] as number) - (ms[b] as number) || a - b
    })
  }

  async #draft(number: number): Promise<Draft> {
    const start = this.#index.start[number] as number
    const draft = await this.#valueAt<Draft>({ start, length: this.#index.length[number] as number })
    const replaced: Replaced[] = []
    for (const place of this.#replaced.get(draft.key)?.slice(-MOST_REPLACED) ?? [])
      replaced.push(await this.#valueAt(place))
    return replaced.length > 0 ? withReplaced(draft, replaced) : draft
  }

  async #valueAt<T>({ start, length }: Place): Promise<T> {
    const { start: first, bytes } = this.#read
    if (start < first || start + length > first + bytes.length) {
      const into = length > READ_BYTES ? Buffer.alloc(length) : this.#buffer
      const { bytesRead } = await this.#file.read(into, 0, into.length, start)
      this.#read = { start, bytes: into.subarray(0, bytesRead) }
    }
    const at = start - this.#read.start
    return JSON.parse(this.#read.bytes.toString('utf8', at, at + length))
  }

  async close() {
    await this.#file.close()
    await rm(this.#folder, { recursive: true, force: true })
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
