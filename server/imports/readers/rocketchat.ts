import { readElements, readLines } from '../archive/read-json.ts'
import type { ContentPart, ImportArchive, ImportReader, ImportRecord, OmissionReport } from '../records.ts'
import { emojiNamed, withEmoji } from './common/emoji.ts'
import { namesIn } from './common/entries.ts'
import { type DraftFile, Findings, noMessage } from './common/findings.ts'
import { replaceParts, withMentions } from './common/mentions.ts'
import {
  type Fields,
  fieldsOf,
  firstText,
  objectsOf,
  sizeOf,
  textOf,
  textsOf,
  timeOfMs,
  timeOfText,
} from './common/values.ts'

/** Rocket.Chat's collections as `mongoexport` writes them: JSON lines, or lists with --jsonArray. */
export const rocketchatReader: ImportReader = {
  format: 'rocketchat',
  recognizes: async (archive) =>
    nameOf(archive, 'rocketchat_message') !== undefined && nameOf(archive, 'rocketchat_room') !== undefined,
  read,
}

const nameOf = (archive: ImportArchive, collection: string) =>
  namesIn(archive, '').find((name) => new RegExp(`(^|/)${collection}\\.(jsonl?|ndjson)$`).test(name))

async function* read(archive: ImportArchive, report: OmissionReport): AsyncGenerator<ImportRecord> {
  const findings = await Findings.open()
  try {
    const reading = new Reading(findings, report)
    for await (const row of documents(archive, 'users', report)) reading.user(row)
    for await (const row of documents(archive, 'rocketchat_room', report)) reading.room(row)
    for await (const row of documents(archive, 'rocketchat_subscription', report)) reading.subscription(row)
    for await (const row of documents(archive, 'rocketchat_message', report)) await reading.message(row)
    yield* findings.records(archive, report)
  } finally {
    await findings.close()
  }
}

async function* documents(archive: ImportArchive, collection: string, report: OmissionReport): AsyncGenerator<Fields> {
  const name = nameOf(archive, collection)
  if (name === undefined) return
  if (await isList(archive, name)) {
    for await (const value of readElements(archive, name)) yield fieldsOf(value)
    return
  }
  for await (const { number, value } of readLines(archive, name)) {
    if (value === undefined) report.add('damagedLine', `${name}: line ${number}`)
    else yield fieldsOf(value)
  }
}

async function isList(archive: ImportArchive, name: string) {
  const stream = await archive.open(name)
  for await (const chunk of stream) {
    const start = String(chunk).trimStart()
    if (start === '') continue
    stream.destroy()
    return start.startsWith('[') || start.startsWith('\ufeff[')
  }
  return false
}

/** `mongoexport` writes ids and times as objects with a '$' key. */
const idOf = (value: unknown) => textOf(fieldsOf(value)['$oid'] ?? value)
function timeOf(value: unknown) {
  const date = fieldsOf(value)['$date'] ?? value
  const ms = fieldsOf(date)['$numberLong'] ?? date
  return /^\d+$/.test(textOf(ms)) ? timeOfMs(Number(ms)) : timeOfText(ms)
}

/**
 * The id of the first room is the same in every workspace, so its creation time distinguishes workspaces. Other ids are random.
 */
const EVERYWHERE = 'GENERAL'

const CALLS = /^(jitsi|videoconf|livechat_webrtc)/

class Reading {
  readonly #findings: Findings
  readonly #report: OmissionReport
  readonly #byUsername = new Map<string, string>()
  readonly #roomsByName = new Map<string, string>()
  #everywhere = EVERYWHERE

  constructor(findings: Findings, report: OmissionReport) {
    this.#findings = findings
    this.#report = report
  }

  #roomKey(value: unknown) {
    const id = idOf(value)
    return id === EVERYWHERE ? this.#everywhere : id
  }

  user(row: Fields) {
    const key = idOf(row['_id'])
    const username = textOf(row['username'])
    if (!key || row['type'] === 'visitor') return
    this.#byUsername.set(username.toLowerCase(), key)
    this.#findings.people.set(key, {
      kind: 'person',
      key,
      username: username || key,
      name: firstText(row['name'], username, key),
      email: firstText(objectsOf(row['emails'])[0]?.['address']) || null,
      isBot: row['type'] === 'bot' || row['type'] === 'app',
      isDeactivated: row['active'] === false,
    })
  }

  room(row: Fields) {
    if (row['_id'] === EVERYWHERE) this.#everywhere = `${EVERYWHERE} ${timeOf(row['ts']) ?? ''}`
    const key = this.#roomKey(row['_id'])
    const type = textOf(row['t'])
    const name = firstText(row['fname'], row['name'], key)
    if (type === 'l' || type === 'v') return this.#report.add('unknownMessage', `${name} (${type})`)
    if (row['archived'] === true) this.#report.add('archivedChannel', name)
    this.#roomsByName.set(textOf(row['name']).toLowerCase(), key)
    const memberKeys = type === 'd' ? this.#keys(row['uids'], row['usernames']) : []
    this.#findings.channels.set(key, {
      kind: 'channel',
      key,
      visibility: type === 'd' ? 'direct' : type === 'c' ? 'public' : 'private',
      name,
      topic: firstText(row['topic'], row['description']),
      ownerKey: idOf(fieldsOf(row['u'])['_id']) || null,
      createdAt: timeOf(row['ts']),
      memberKeys,
    })
  }

  #keys(ids: unknown, usernames: unknown) {
    const known = textsOf(ids)
    return known.length > 0
      ? known
      : textsOf(usernames).flatMap((name) => this.#byUsername.get(name.toLowerCase()) ?? [])
  }

  subscription(row: Fields) {
    const channel = this.#findings.channels.get(this.#roomKey(row['rid']))
    const key = idOf(fieldsOf(row['u'])['_id'])
    if (channel && key && !channel.memberKeys.includes(key)) channel.memberKeys.push(key)
  }

  async message(row: Fields) {
    const key = idOf(row['_id'])
    const channelKey = this.#roomKey(row['rid'])
    const type = textOf(row['t'])
    const where = `${channelKey}: ${key}`
    if (CALLS.test(type)) return this.#report.add('calls', where)
    // 'e2e' is end-to-end encrypted.
    if (type === 'e2e') return this.#report.add('unknownMessage', where)
    if (type || row['_hidden'] === true) return this.#report.add('systemMessage', `${where} ${type}`)
    const author = fieldsOf(row['u'])
    const authorKey = idOf(author['_id'])
    const createdAt = timeOf(row['ts'])
    if (!key || !authorKey || !createdAt) return this.#report.add('unknownMessage', where)
    if (row['pinned'] === true) this.#report.add('pins', where)
    this.#known(authorKey, author)
    const attachments = objectsOf(row['attachments'])
    const files = attachments
      .filter((it) => textOf(it['title_link']).includes('/file-upload/'))
      .map((it) => this.#file(it))
    const content = this.#content(row, attachments)
    if (content.length === 0 && files.length === 0) return this.#report.add('unknownMessage', where)
    await this.#findings.addMessage({
      ...noMessage,
      key,
      channelKey,
      parentKey: idOf(row['tmid']) || null,
      authorKey,
      createdAt,
      editedAt: timeOf(row['editedAt']),
      content,
      reactions: this.#reactions(row),
      files,
    })
  }

  /** Deleted users only appear as authors of their messages. */
  #known(key: string, user: Fields) {
    if (this.#findings.people.has(key)) return
    this.#report.add('unknownPerson', firstText(user['username'], key))
    this.user({ ...user, _id: key, active: false })
  }

  #content(row: Fields, attachments: Fields[]): ContentPart[] {
    const described = attachments
      .filter((it) => !it['message_link'])
      .map((it) =>
        [it['pretext'], it['title_link'] ? it['description'] : it['title'], it['text']]
          .map(textOf)
          .filter(Boolean)
          .join('\n'),
      )
    const text = [textOf(row['msg']), ...described].filter((piece) => piece.trim() !== '').join('\n\n')
    const markdown = replaceParts(
      text,
      /(?<![\p{L}\p{N}*])\*(?![*\s])([^*\n]*[^*\s])\*(?![\p{L}\p{N}*])|(?<![\w:]):[a-z0-9_+-]+:/giu,
      ([all, bold]) => ({
        text: bold === undefined ? withEmoji(all) : `**${bold}**`,
      }),
    )
    const source = markdown.map((part) => ('text' in part ? part.text : '')).join('')
    // A quoted message is a link without a label.
    return replaceParts(source, /\[\s*\]\([^()\s]*[?&]msg=(\w+)[^()\s]*\)/g, ([link, message = '']) => ({
      message,
      text: /\((.*)\)/.exec(link)?.[1] ?? '',
    })).flatMap((part) => ('text' in part && !('message' in part) ? this.#names(part.text) : part))
  }

  #names(text: string): ContentPart[] {
    const isPerson = (name: string) => this.#byUsername.get(name)
    return withMentions(text, isPerson).flatMap((part) =>
      'text' in part && !('message' in part)
        ? replaceParts(
            part.text,
            /(?<![\p{L}\p{N}#&/])#([\p{L}\p{N}][\p{L}\p{N}._-]*[\p{L}\p{N}])/gu,
            ([, name = '']) => {
              const channel = this.#roomsByName.get(name.toLowerCase())
              return channel ? { channel, name } : undefined
            },
          )
        : part,
    )
  }

  #reactions(row: Fields) {
    return Object.entries(fieldsOf(row['reactions'])).flatMap(([name, value]) => {
      const emoji = emojiNamed(name.replaceAll(':', ''))
      if (!emoji) this.#report.add('customEmoji', name)
      const personKeys = this.#keys([], fieldsOf(value)['usernames'])
      return emoji && personKeys.length > 0 ? [{ emoji, personKeys: [...new Set(personKeys)] }] : []
    })
  }

  /** The bytes are in the server's file store, not in the collections. */
  #file(attachment: Fields): DraftFile {
    const name = firstText(attachment['title'], 'file')
    this.#report.add('missingFile', name)
    const key = /file-upload\/([^/]+)/.exec(textOf(attachment['title_link']))?.[1] ?? name
    return { key, name, size: sizeOf(attachment['image_size']), createdAt: null, entry: null }
  }
}
