import type { Readable } from 'node:stream'

/** Which product an archive comes from. */
const importFormats = ['slack', 'mattermost', 'discord', 'rocketchat', 'zulip', 'parley'] as const
export type ImportFormat = (typeof importFormats)[number]

/**
 * What a reader finds in an archive of another product. `key`s are the archive's own ids: stable, so that an archive that is
 * read twice gives the same keys, and unique among records of one kind. A record comes after those it names: people before
 * channels, channels before messages; a person who is only found in a message comes just before it, possibly between the
 * messages of a channel. The messages of a channel come one after the other: those outside of threads oldest first, the
 * replies of one thread oldest first, each after its parent. Texts contain neither NUL nor lone surrogates.
 */
export type ImportRecord = PersonRecord | ChannelRecord | MessageRecord

export interface PersonRecord {
  kind: 'person'
  key: string
  /** As in the archive: the loader makes it a valid username that is free. */
  username: string
  name: string
  email: string | null
  /** Writes by a program; nobody signs in as one. */
  isBot: boolean
  isDeactivated: boolean
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
}

export interface MessageRecord {
  kind: 'message'
  key: string
  channelKey: string
  /** The message that this one replies to in a thread. */
  parentKey: string | null
  authorKey: string
  /** ISO 8601, UTC, at least milliseconds. */
  createdAt: string
  editedAt: string | null
  /** A deleted message, with no content: kept where a thread hangs on it. */
  deletedAt: string | null
  content: ContentPart[]
  /** At most `limits.reactions` different ones, each an emoji of `contract/emoji.ts`. */
  reactions: { emoji: string; personKeys: string[] }[]
  /** At most `limits.attachments`. */
  files: FileRecord[]
}

/** Markdown, or something that is named differently here: the loader writes its name or address. */
export type ContentPart =
  | { text: string }
  | { person: string }
  /** A channel; `name` is what the text itself calls it, for whom may not know it. */
  | { channel: string; name?: string }
  /** A link to a message of the archive; `text` is written if that message was not imported, `label` is the link's own. */
  | { message: string; text: string; label?: string }
  | { broadcast: 'channel' | 'here' }

export interface FileRecord {
  key: string
  name: string
  /** Bytes; null if the archive does not say. */
  size: number | null
  createdAt: string | null
  /** The bytes; null if the archive does not contain them. */
  open: (() => Promise<Readable>) | null
}

/** Something that is not imported, or not as it was. Each is a text of the languages, 'imports.omitted.…'. */
const omissions = [
  'pins',
  'customEmoji',
  'missingFile',
  'externalFile',
  'tooLargeFile',
  'tooLongMessage',
  'tooManyReactions',
  'systemMessage',
  'unknownMessage',
  'unknownPerson',
  'archivedChannel',
  'bookmarks',
  'calls',
  'damagedLine',
  'unknownFile',
] as const
export type Omission = (typeof omissions)[number]

/** Collects what is not imported: how often, and a few examples of where. */
export interface OmissionReport {
  /** @param example where or what it was, such as 'general/2024-03-01.json: line 3'; at most 200 characters are kept */
  add(omission: Omission, example: string): void
}

/** Reads archives of one product. */
export interface ImportReader {
  format: ImportFormat
  /** Whether the archive looks like one of this product, from the names and first bytes of its entries. */
  recognizes(archive: ImportArchive): Promise<boolean>
  /** Where keys count from one in each workspace: what tells this workspace from others. `openImport` adds it to the keys. */
  workspaceOf?(archive: ImportArchive): Promise<string>
  /** Yields what is in the archive, in bounded memory. @throws ImportProblem if it cannot be read at all */
  read(archive: ImportArchive, report: OmissionReport): AsyncGenerator<ImportRecord>
}

/** An archive on disk (a ZIP, a JSON file, JSON lines): entries by their names, with bounds on everything that it claims. */
export interface ImportArchive {
  entries: readonly { name: string; size: number }[]
  /** The bytes of an entry; fails with ImportProblem beyond the size it claims. */
  open(name: string): Promise<Readable>
  close(): Promise<void>
}
