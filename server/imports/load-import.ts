import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { sanitizeFileName } from '../files/file-name.ts'
import type { Services } from '../services.ts'
import { readChannelNames } from './channel-names.ts'
import type { EmojiNames } from './emoji-names.ts'
import { importChannel, type KnownChannel, publishChannel } from './import-channels.ts'
import { EmojiImport } from './import-emoji.ts'
import { keepWaiting, storeFiles } from './import-files.ts'
import { storeBatch } from './import-messages.ts'
import { importPerson, type KnownPerson } from './import-people.ts'
import { holdImport, type ImportJob, itemsOf, noteFetched } from './import-rows.ts'
import type { ReadyMessage } from './imported-rows.ts'
import { inlineCode } from './readers/common/markdown.ts'
import type { ChannelRecord, ContentPart, ImportRecord, MessageRecord, OmissionReport } from './records.ts'
import type { Names } from './render-content.ts'
import { resolveLinks } from './resolve-links.ts'
import { withSlackEmoji } from './slack/slack-emoji-list.ts'
import type { SlackFiles } from './slack/slack-files.ts'

/** Limits per transaction: messages, characters of their texts, files. */
const BATCH = { messages: 200, characters: 500_000, files: 20 }

interface LoadOptions {
  services: Pick<Services, 'bounds' | 'config' | 'db' | 'log' | 'storage'>
  job: ImportJob
  source: string
  records: AsyncIterable<ImportRecord>
  report: OmissionReport
  /** Fetches what the archive only links to, if the owner wants it. */
  slack: SlackFiles | undefined
  signal: AbortSignal
}

/**
 * Imports an archive into channels that nobody can see, and publishes them once all are complete. After a crash it reads the
 * archive again, and skips what is already stored.
 */
export async function loadImport(options: LoadOptions) {
  const { job, source, report, signal, slack } = options
  const { db } = options.services
  const records = slack?.client.hasToken ? withSlackEmoji(options.records, slack) : options.records
  const people = new Map<string, KnownPerson>()
  const channels = new Map<string, { record: ChannelRecord; channel: KnownChannel }>()
  const names = await readChannelNames(db)
  const emoji = await EmojiImport.open({ services: options.services, job, people })
  let waiting: MessageRecord[] = []

  const flush = async () => {
    const some = waiting
    waiting = []
    const channel = channels.get(some[0]?.channelKey ?? '')?.channel
    if (!channel?.isOpen) return
    const startedAt = performance.now()
    const shown = some.map((message) => withoutPrivate(message, channels))
    await storeMessages(options, { channel, people, channels, emojiNames: emoji.names }, shown)
    // Leaves at least half of the database's time to people who send messages.
    await sleep(Math.min(1000, performance.now() - startedAt), undefined, { signal })
  }

  for await (const record of records) {
    signal.throwIfAborted()
    if (record.kind === 'person') people.set(record.key, await importPerson(db, job, source, record))
    else if (record.kind === 'emoji') {
      if (!(await emoji.add(record)) && record.size === null) slack?.noteMissing(`:${record.key}:`)
    } else if (record.kind === 'channel') {
      await emoji.flush()
      channels.set(record.key, { record, channel: await importChannel(db, job, source, record, people, names) })
    } else {
      if (isFull(waiting, record)) await flush()
      if (!channels.get(record.channelKey)?.channel.isOpen) continue
      if (people.has(record.authorKey)) waiting.push(record)
      else report.add('unknownPerson', record.key)
    }
  }
  await flush()
  await emoji.flush()
  if (slack)
    await db.transaction().execute(async (tx) => {
      await holdImport(tx, job)
      await noteFetched(tx, job, slack.takeOutcome())
    })

  await resolveLinks({ db, job, source, names: (keys) => namesFor(db, source, people, channels, keys) })
  for (const { record, channel } of channels.values()) {
    signal.throwIfAborted()
    if (channel.isOpen) await publishChannel(db, job, source, record, channel, people)
  }
}

function isFull(waiting: MessageRecord[], next: MessageRecord) {
  const characters = waiting.reduce(
    (sum, message) => sum + textsOf(message).reduce((all, it) => all + lengthOf(it), 0),
    0,
  )
  const files = waiting.reduce((sum, message) => sum + message.files.length, 0)
  return (
    (waiting.length > 0 && waiting[0]?.channelKey !== next.channelKey) ||
    waiting.length >= BATCH.messages ||
    characters >= BATCH.characters ||
    files >= BATCH.files
  )
}

/** Replaces references to channels whose names the readers may not know: private ones are only named within themselves. */
function withoutPrivate(message: MessageRecord, channels: ReadonlyMap<string, { channel: KnownChannel }>) {
  const shown = (content: ContentPart[]): ContentPart[] =>
    content.map((part) => {
      if (!('channel' in part) || part.channel === message.channelKey) return part
      return channels.get(part.channel)?.channel.isPublic ? part : { text: `#${part.name ?? '…'}` }
    })
  const earlier = message.earlier?.map(({ content, writtenAt }) => ({ content: shown(content), writtenAt }))
  return { ...message, content: shown(message.content), ...(earlier && { earlier }) }
}

/** The text of a message and those before it was edited. */
const textsOf = ({ content, earlier = [] }: MessageRecord) => [content, ...earlier.map((text) => text.content)]

const lengthOf = (content: MessageRecord['content']) =>
  content.reduce((sum, part) => sum + ('text' in part ? part.text.length : 20), 0)

interface Place {
  channel: KnownChannel
  people: Map<string, KnownPerson>
  channels: ReadonlyMap<string, { channel: KnownChannel }>
  emojiNames: EmojiNames
}

async function storeMessages(options: LoadOptions, place: Place, records: MessageRecord[]) {
  const { channel, people, channels, emojiNames } = place
  const { job, source, report, services, signal, slack } = options
  const { db } = services
  const known = await storedKeys(db, job, source, records)
  const ready: ReadyMessage[] = []
  const waiting = keepWaiting(db)
  try {
    for (const record of records) {
      if (known.has(record.key)) continue
      const author = people.get(record.authorKey) as KnownPerson
      signal.throwIfAborted()
      const { stored, missing } = await storeFiles({ services, slack, report }, author.id, record, waiting.add)
      ready.push({ record: withNames(record, missing), author, files: stored })
    }
  } finally {
    waiting.end()
  }
  if (ready.length === 0) return
  const linked = ready.flatMap(({ record }) =>
    textsOf(record)
      .flat()
      .flatMap((part) => ('message' in part ? part.message : [])),
  )
  const names = await namesFor(db, source, people, channels, linked)
  const fetched = slack?.takeOutcome()
  await storeBatch({ db, job, source, channel, people, names, emojiNames, report, fetched }, ready)
}

/** Adds the names of files that a message no longer has. */
function withNames(record: MessageRecord, missing: string[]): MessageRecord {
  if (missing.length === 0 || record.deletedAt !== null) return record
  // As code, so that no name is a link or mentions somebody.
  const text = missing.map((name) => `📎 ${inlineCode(sanitizeFileName(name))}`).join('\n')
  const { content } = record
  return { ...record, content: [...content, { text: content.length > 0 ? `\n\n${text}` : text }] }
}

/** The messages that this import stored before a crash. */
async function storedKeys(db: Db, job: ImportJob, source: string, records: MessageRecord[]) {
  const rows = await db
    .selectFrom('import_items')
    .select('key')
    .where('source', '=', source)
    .where('kind', '=', 'message')
    .where('importId', '=', job.id)
    .where('key', '=', sql<string>`any(${records.map(({ key }) => key)}::text[])`)
    .execute()
  return new Set(rows.map(({ key }) => key))
}

/** The names that a text may refer to. @param linked the messages that it links to */
async function namesFor(
  db: Db,
  source: string,
  people: ReadonlyMap<string, KnownPerson>,
  channels: ReadonlyMap<string, { channel: KnownChannel }>,
  linked: string[],
): Promise<Names> {
  const ids = await itemsOf(db, source, 'message', linked)
  const rows =
    ids.size === 0
      ? []
      : await db
          .selectFrom('messages')
          .select(['id', 'channelId'])
          .where('id', '=', sql<string>`any(${[...ids.values()]}::uuid[])`)
          .execute()
  const channelOf = new Map(rows.map(({ id, channelId }) => [id, channelId]))
  return {
    person: (key) => people.get(key),
    channel: (key) => channels.get(key)?.channel.name,
    message(key) {
      const id = ids.get(key)
      const channelId = id && channelOf.get(id)
      return id && channelId ? { id, channelId } : undefined
    },
  }
}
