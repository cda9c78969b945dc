import type { Readable } from 'node:stream'

/** The product that an archive comes from. */
const importFormats = ['slack', 'mattermost', 'discord', 'rocketchat', 'zulip', 'parley'] as const
export type ImportFormat = (typeof importFormats)[number]

/**
 * A record found by a reader in an archive of another product. `key`s are the archive's own ids: stable, so that reading an
 * archive twice gives the same keys, and unique among records of one kind. A record follows those that it refers to: people
 * precede emoji and channels, channels precede messages. A person found only in a message directly precedes it, possibly between
 * the messages of a channel. Emoji precede channels. The messages of a channel are consecutive: those outside of threads oldest first, the replies of one
 * thread oldest first, each after its parent. Texts contain neither NUL nor lone surrogates.
 */
export type ImportRecord = PersonRecord | EmojiRecord | ChannelRecord | MessageRecord

export interface PersonRecord {
  kind: 'person'
  key: string
  /** As in the archive; the loader makes it a valid free username. */
  username: string
  name: string
  email: string | null
  /** A program; nobody signs in as one. */
  isBot: boolean
  isDeactivated: boolean
}

/** An emoji of the workspace, which texts and reactions contain as `:name:`. */
export interface EmojiRecord {
  kind: 'emoji'
  /** The name, lower case, without colons. */
  key: string
  /** Further names, in the same form. */
  aliases: string[]
  authorKey: string | null
  createdAt: string | null
  /** Bytes; null if that is only known once it is read. */
  size: number | null
  /** The picture, which may move. */
  open: () => Promise<Readable>
}

export interface ChannelRecord {
  kind: 'channel'
  key: string
  visibility: 'public' | 'private' | 'direct'
  /** As in the archive, without '#'; ignored for direct messages. */
  name: string
  topic: string
  ownerKey: string | null
  /** ISO 8601, UTC. */
  createdAt: string | null
  memberKeys: string[]
  /** Since when nobody may write; true if the archive doesn't say. */
  archived?: string | true
  /** How many topics it has, in a product whose topics can be threads or channels. */
  topics?: number
  /** The channel whose topic it is. It precedes this one. */
  topicOf?: string
}

export interface MessageRecord {
  kind: 'message'
  key: string
  channelKey: string
  /** The thread's parent, if this is a reply. */
  parentKey: string | null
  authorKey: string
  /** ISO 8601, UTC, at least milliseconds. */
  createdAt: string
  editedAt: string | null
  /** A deleted message, without content: kept if it has replies. */
  deletedAt: string | null
  content: ContentPart[]
  /** The texts before it was edited, oldest first. */
  earlier?: { content: ContentPart[]; writtenAt: string }[]
  /** Present if it is pinned; null for what the archive does not say. */
  pin?: { at: string | null; personKey: string | null }
  /** At most `limits.reactions` different ones, each an emoji of Unicode, or `:name:` in lower case. */
  reactions: { emoji: string; personKeys: string[] }[]
  /** At most `limits.attachments`. */
  files: FileRecord[]
}

/** Markdown, or a reference whose name may differ here: the loader inserts its name or URL. */
export type ContentPart =
  | { text: string }
  | { person: string }
  /** A channel; `name` is the name used by the text, for readers who may not know the channel. */
  | { channel: string; name?: string }
  /**
   * A link to a message of the archive. `text` is used if that message was not imported; `label` is the link's own. Readers see
   * what a quote (`contract/quotes.ts`) links to.
   */
  | { message: string; text: string; label?: string; isQuote?: true }
  | { broadcast: 'channel' | 'here' }

export interface FileRecord {
  key: string
  name: string
  /** Bytes; null if the archive does not say. */
  size: number | null
  createdAt: string | null
  /** The bytes; null if the archive does not contain them. */
  open: (() => Promise<Readable>) | null
  /** Where the product has it, if the archive does not contain it. */
  link?: FileLink
}

export interface FileLink {
  /** Untrusted: any text. */
  url: string
  /** Whether it is a web page, which the product otherwise answers with if it refuses. */
  isPage: boolean
}

/** Content that is dropped or altered. Each has a text in the languages, 'imports.omitted.…'. */
const omissions = [
  'pins',
  'customEmoji',
  'takenEmoji',
  'refusedEmoji',
  'missingFile',
  'externalFile',
  'tooLargeFile',
  'tooLongMessage',
  'tooManyReactions',
  'systemMessage',
  'unknownMessage',
  'unknownPerson',
  'bookmarks',
  'calls',
  'damagedLine',
  'unknownFile',
] as const
export type Omission = (typeof omissions)[number]

/** Collects omitted content: how often, and a few examples. */
export interface OmissionReport {
  /** @param example what or where it was, such as 'general/2024-03-01.json: line 3'; truncated to 200 characters */
  add(omission: Omission, example: string): void
}

/** Reads archives of one product. */
export interface ImportReader {
  format: ImportFormat
  /** Whether the archive looks like one of this product, judging by the names and first bytes of its entries. */
  recognizes(archive: ImportArchive): Promise<boolean>
  /** For products whose keys count from one in each workspace: identifies the workspace. `openImport` adds it to the keys. */
  workspaceOf?(archive: ImportArchive): Promise<string>
  /** Yields the archive's records in bounded memory. @throws ImportProblem if it cannot be read at all */
  read(archive: ImportArchive, report: OmissionReport, choices?: ReadChoices): AsyncGenerator<ImportRecord>
}

/** What the owner chose about reading an archive. */
export interface ReadChoices {
  /** What topics become: threads, unless this says otherwise. */
  topics?: 'channels'
}

/** An archive on disk (a ZIP, a JSON file, JSON lines): entries by name, with limits on everything it claims. */
export interface ImportArchive {
  entries: readonly { name: string; size: number }[]
  /** The bytes of an entry; fails with ImportProblem if they exceed the claimed size. */
  open(name: string): Promise<Readable>
  close(): Promise<void>
}
