import { readTables } from '../archive/read-json.ts'
import type { ImportArchive, ImportReader, ImportRecord, OmissionReport } from '../records.ts'
import { emojiOfCodes } from './common/emoji.ts'
import { folderOf, namesIn } from './common/entries.ts'
import { type DraftFile, Findings, noMessage } from './common/findings.ts'
import {
  type Fields,
  fieldsOf,
  firstText,
  listOf,
  sizeOf,
  textOf,
  timeOfMs,
  timeOfSeconds,
  timeOfText,
} from './common/values.ts'
import { type Named, topicLine, withoutUploads, zulipContent } from './zulip-text.ts'

/**
 * Zulip's export of an organization. A topic becomes a thread: its first message starts with the topic's name, and the others are
 * replies. So a topic is read as a whole, as in Zulip, and the channel lists its topics. Messages without a topic stay in the
 * channel.
 */
export const zulipReader: ImportReader = {
  format: 'zulip',
  recognizes: async (archive) =>
    folderOf(archive, 'realm.json') !== undefined && archive.entries.some(({ name }) => MESSAGES.test(name)),
  /** All ids are numbered from one in each organization or server. */
  async workspaceOf(archive) {
    const realm = `${folderOf(archive, 'realm.json') ?? ''}realm.json`
    for await (const { table, value } of readTables(archive, realm)) {
      const { uuid, string_id, date_created } = fieldsOf(value)
      if (table === 'zerver_realm') return firstText(uuid, `${textOf(string_id)} ${textOf(date_created)}`)
    }
    return ''
  },
  read,
}

const MESSAGES = /(^|\/)messages-\d+\.json$/

async function* read(archive: ImportArchive, report: OmissionReport): AsyncGenerator<ImportRecord> {
  const findings = await Findings.open()
  try {
    const root = folderOf(archive, 'realm.json') ?? ''
    const reading = new Reading(archive, root, findings, report)
    for await (const { table, value } of readTables(archive, `${root}realm.json`)) reading.row(table, fieldsOf(value))
    reading.fillChannels()
    const names = namesIn(archive, root)
    if (names.includes(`${root}attachment.json`))
      for await (const { table, value } of readTables(archive, `${root}attachment.json`))
        if (table === 'zerver_attachment') reading.attachment(fieldsOf(value))
    for (const name of names.filter((it) => MESSAGES.test(it)).sort())
      for await (const { table, value } of readTables(archive, name))
        if (table === 'zerver_message') await reading.message(fieldsOf(value))
    yield* findings.records(archive, report)
  } finally {
    await findings.close()
  }
}

const [PERSONAL, STREAM] = [1, 2]
const NO_TOPICS = new Set(['', '(no topic)'])

class Reading {
  readonly #sizes: Map<string, number>
  readonly #root: string
  readonly #findings: Findings
  readonly #report: OmissionReport
  readonly #recipients = new Map<string, { type: number; id: string }>()
  readonly #subscribers = new Map<string, string[]>()
  readonly #reactions = new Map<string, Map<string, string[]>>()
  readonly #files = new Map<string, DraftFile[]>()
  readonly #named: Named = { people: new Map(), channels: new Map() }
  /** The first message of each topic. */
  readonly #topics = new Map<string, string>()

  constructor(archive: ImportArchive, root: string, findings: Findings, report: OmissionReport) {
    this.#sizes = new Map(archive.entries.map(({ name, size }) => [name, size]))
    this.#root = root
    this.#findings = findings
    this.#report = report
  }

  row(table: string, row: Fields) {
    if (table === 'zerver_userprofile' || table === 'zerver_userprofile_crossrealm') this.#person(row)
    if (table === 'zerver_stream') this.#stream(row)
    if (table === 'zerver_recipient')
      this.#recipients.set(textOf(row['id']), { type: Number(row['type']), id: textOf(row['type_id']) })
    if (table === 'zerver_subscription' && row['active'] !== false) {
      const recipient = textOf(row['recipient'])
      this.#subscribers.set(recipient, [...(this.#subscribers.get(recipient) ?? []), textOf(row['user_profile'])])
    }
    if (table === 'zerver_reaction') this.#reaction(row)
    if (table === 'zerver_realmemoji') this.#report.add('customEmoji', `:${textOf(row['name'])}:`)
  }

  #person(row: Fields) {
    const key = textOf(row['id'])
    // Addresses may be hidden behind placeholders that cannot receive mail.
    const email = firstText(row['delivery_email'], row['email'])
    const name = firstText(row['full_name'], email, key)
    this.#named.people.set(name, key)
    this.#named.people.set(`${name}|${key}`, key)
    this.#findings.people.set(key, {
      kind: 'person',
      key,
      username: firstText(email.replace(/@.*/, ''), name),
      name,
      email: /^user\d+@/.test(email) ? null : email || null,
      isBot: row['is_bot'] === true,
      isDeactivated: row['is_active'] === false,
    })
  }

  #stream(row: Fields) {
    const key = `stream ${textOf(row['id'])}`
    const name = textOf(row['name'])
    if (row['deactivated'] === true) this.#report.add('archivedChannel', name)
    this.#named.channels.set(name, key)
    this.#findings.channels.set(key, {
      kind: 'channel',
      key,
      visibility: row['invite_only'] === false ? 'public' : 'private',
      name,
      topic: textOf(row['description']),
      ownerKey: firstText(row['creator']) || null,
      createdAt: timeOf(row['date_created']),
      memberKeys: [],
    })
  }

  #reaction(row: Fields) {
    const emoji = row['reaction_type'] === 'unicode_emoji' ? emojiOfCodes(textOf(row['emoji_code'])) : undefined
    if (!emoji) return this.#report.add('customEmoji', `:${textOf(row['emoji_name'])}:`)
    const message = textOf(row['message'])
    const byEmoji = this.#reactions.get(message) ?? new Map<string, string[]>()
    byEmoji.set(emoji, [...(byEmoji.get(emoji) ?? []), textOf(row['user_profile'])])
    this.#reactions.set(message, byEmoji)
  }

  /** Tables may come in any order, so members are only known at the end. */
  fillChannels() {
    for (const [recipient, { type, id }] of this.#recipients) {
      const channel = type === STREAM ? this.#findings.channels.get(`stream ${id}`) : undefined
      channel?.memberKeys.push(...new Set(this.#subscribers.get(recipient) ?? []))
    }
  }

  attachment(row: Fields) {
    const path = textOf(row['path_id'])
    const name = textOf(row['file_name'])
    const entry = `${this.#root}uploads/${path}`
    const size = this.#sizes.get(entry)
    if (size === undefined) this.#report.add('missingFile', name)
    const file: DraftFile = {
      key: path,
      name,
      size: size ?? sizeOf(row['size']),
      createdAt: timeOf(row['create_time']),
      entry: size === undefined ? null : entry,
    }
    for (const message of listOf(row['messages'])) {
      const id = textOf(message)
      this.#files.set(id, [...(this.#files.get(id) ?? []), { ...file, key: `${path}@${id}` }])
    }
  }

  async message(row: Fields) {
    const id = textOf(row['id'])
    const authorKey = textOf(row['sender'])
    const channelKey = this.#channelOf(textOf(row['recipient']), authorKey)
    const createdAt = timeOf(row['date_sent'])
    if (!id || !authorKey || !createdAt || !channelKey) return this.#report.add('unknownMessage', id)
    const files = this.#files.get(id) ?? []
    const text = withoutUploads(textOf(row['content']), new Set(files.map(({ key }) => key.replace(/@\d+$/, ''))))
    const topic = channelKey.startsWith('stream ') ? textOf(row['subject']).trim() : ''
    const place = `${channelKey}\n${topic.toLowerCase()}`
    const first = NO_TOPICS.has(topic) ? null : (this.#topics.get(place) ?? '')
    if (first === '') this.#topics.set(place, id)
    await this.#findings.addMessage({
      ...noMessage,
      key: id,
      channelKey,
      parentKey: first || null,
      authorKey,
      createdAt,
      editedAt: timeOf(row['last_edit_time']),
      content: [...(first === '' ? [{ text: topicLine(topic) }] : []), ...zulipContent(text, this.#named)],
      reactions: [...(this.#reactions.get(id) ?? [])].map(([emoji, keys]) => ({
        emoji,
        personKeys: [...new Set(keys)],
      })),
      files,
    })
  }

  #channelOf(recipientId: string, senderKey: string): string | undefined {
    const recipient = this.#recipients.get(recipientId)
    if (!recipient) return undefined
    if (recipient.type === STREAM) return `stream ${recipient.id}`
    const people =
      recipient.type === PERSONAL ? [senderKey, recipient.id] : (this.#subscribers.get(recipientId) ?? [senderKey])
    const memberKeys = [...new Set(people)].sort()
    const key = `direct ${memberKeys.join(',')}`
    if (!this.#findings.channels.has(key))
      this.#findings.channels.set(key, {
        kind: 'channel',
        key,
        visibility: 'direct',
        name: '',
        topic: '',
        ownerKey: null,
        createdAt: null,
        memberKeys,
      })
    return key
  }
}

/** Zulip's exports contain fractional seconds since 1970; third-party tools also write ISO 8601. */
const timeOf = (value: unknown) =>
  typeof value === 'number' ? (timeOfSeconds(value.toFixed(6)) ?? timeOfMs(value * 1000)) : timeOfText(value)
