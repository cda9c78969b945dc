import type { ImportedChannel, ImportedPerson } from '#contract/imports'
import { limits } from '#contract/limits'
import type { Config } from '../config/config.ts'
import { sanitizeFileName } from '../files/file-name.ts'
import { emailOf } from './import-people.ts'
import type { OmissionCounts } from './omission-counts.ts'
import type { ChannelRecord, EmojiRecord, FileRecord, MessageRecord, Omission, PersonRecord } from './records.ts'
import { isSlackFile } from './slack/slack-client.ts'
import { tidyName } from './tidy-name.ts'
import { timeOf } from './times.ts'

const MAX_EXAMPLES = 3

type PlanOptions = Pick<Config, 'maxFileSize' | 'slackUrl'>

/** Counts what an archive contains, and collects its people and channels. */
export class PlanCounts {
  readonly people: ImportedPerson[] = []
  readonly channels: ImportedChannel[] = []
  readonly counts = {
    ...{ messages: 0, replies: 0, reactions: 0, pins: 0, expiring: 0 },
    ...{
      files: 0,
      fileBytes: 0,
      emoji: 0,
      archived: 0,
      linked: { files: 0, bytes: 0, examples: [] as string[], fetched: 0 },
    },
  }
  /** Milliseconds since 1970 of the first and last message. */
  readonly span: { first: number | null; last: number | null } = { first: null, last: null }
  /** Topics of all channels. */
  topics = 0
  /** The channels that become of topics: the key of each one's channel. */
  readonly topicOf = new Map<string, string>()
  readonly #byKey = new Map<string, ImportedChannel>()
  readonly #pins = new Map<string, number>()
  readonly #options: PlanOptions
  readonly #omitted: OmissionCounts
  readonly #keptSince: number

  constructor(options: PlanOptions, omitted: OmissionCounts, keptSince: number) {
    this.#options = options
    this.#omitted = omitted
    this.#keptSince = keptSince
  }

  person(record: PersonRecord) {
    const { key, username, name, isBot } = record
    this.people.push({
      ...{ key, isBot, user: null, email: emailOf(record) },
      username: tidyName(username, limits.personName),
      name: tidyName(name, limits.personName),
    })
  }

  channel({ key, visibility, name: given, archived, topics = 0, topicOf }: ChannelRecord) {
    const name = tidyName(given, limits.channelName)
    const channel = { key, name, newName: name, visibility, messages: 0, isKnown: false }
    if (archived !== undefined && visibility !== 'direct') this.counts.archived++
    this.topics += topics
    if (topicOf !== undefined) this.topicOf.set(key, topicOf)
    this.channels.push(channel)
    this.#byKey.set(key, channel)
  }

  /** @param omission why it would not be imported */
  emoji({ key }: EmojiRecord, omission: Omission | undefined) {
    if (omission) this.#omitted.add(omission, `:${key}:`)
    else this.counts.emoji++
  }

  message(message: MessageRecord) {
    const { counts } = this
    const channel = this.#byKey.get(message.channelKey)
    if (channel) channel.messages++
    this.#time(timeOf(message.createdAt))
    counts.messages++
    if (message.parentKey !== null) counts.replies++
    if (message.pin && message.deletedAt === null) this.#pin(message.channelKey)
    for (const { personKeys } of message.reactions) counts.reactions += personKeys.length
    for (const file of message.files) this.#file(file)
  }

  #file({ open, link, size, name }: FileRecord) {
    const { counts } = this
    const { maxFileSize, slackUrl } = this.#options
    if (!open && !link) return
    if ((size ?? 0) > maxFileSize) this.#omitted.add('tooLargeFile', name)
    else if (open) {
      counts.files++
      counts.fileBytes += size ?? 0
    } else if (link && isSlackFile(link.url, slackUrl)) {
      counts.linked.files++
      counts.linked.bytes += size ?? 0
      if (counts.linked.examples.length < MAX_EXAMPLES) counts.linked.examples.push(sanitizeFileName(name))
    } else this.#omitted.add('missingFile', name)
  }

  #time(at: number | null) {
    if (at === null) return
    this.span.first = Math.min(this.span.first ?? at, at)
    this.span.last = Math.max(this.span.last ?? at, at)
    if (at < this.#keptSince) this.counts.expiring++
  }

  #pin(channelKey: string) {
    const pinned = (this.#pins.get(channelKey) ?? 0) + 1
    this.#pins.set(channelKey, pinned)
    if (pinned <= limits.pins) this.counts.pins++
    else this.#omitted.add('pins', this.#byKey.get(channelKey)?.name ?? '')
  }
}
