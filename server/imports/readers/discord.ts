import { readTables } from '../archive/read-json.ts'
import { ImportProblem } from '../import-problem.ts'
import type { ContentPart, ImportArchive, ImportReader, ImportRecord, OmissionReport } from '../records.ts'
import { asEmoji } from './common/emoji.ts'
import { namesIn } from './common/entries.ts'
import { type DraftFile, Findings, noMessage } from './common/findings.ts'
import { escapeMarkdown, linkTo } from './common/markdown.ts'
import { replaceParts } from './common/mentions.ts'
import {
  type Fields,
  fieldsOf,
  firstText,
  objectsOf,
  sizeOf,
  textOf,
  timeOfSeconds,
  timeOfText,
} from './common/values.ts'

/** DiscordChatExporter's JSON: one file per channel, possibly split into parts. */
export const discordReader: ImportReader = {
  format: 'discord',
  async recognizes(archive) {
    for (const name of jsonFiles(archive).slice(0, 3)) if (await isDiscord(archive, name)) return true
    return false
  },
  read,
}

async function isDiscord(archive: ImportArchive, name: string) {
  try {
    for await (const { table, key } of readTables(archive, name)) return table === 'guild' && key === 'id'
  } catch (error) {
    // JSON lines, for example.
    if (!(error instanceof ImportProblem)) throw error
  }
  return false
}

const jsonFiles = (archive: ImportArchive) =>
  namesIn(archive, '')
    .filter((name) => /\.json$/i.test(name) && !/_Files\//.test(name))
    .sort()

async function* read(archive: ImportArchive, report: OmissionReport): AsyncGenerator<ImportRecord> {
  const findings = await Findings.open()
  try {
    const sizes = new Map(archive.entries.map(({ name, size }) => [name, size]))
    for (const name of jsonFiles(archive)) {
      const [guild, channel]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}]
      let reading: Reading | undefined
      for await (const { table, key, value } of readTables(archive, name)) {
        if (table === 'guild') guild[key] = value
        if (table === 'channel') channel[key] = value
        if (table !== 'messages') continue
        reading ??= new Reading({ name, guild, channel, sizes, findings, report })
        await reading.message(fieldsOf(value))
      }
      if (!reading && channel['id'] === undefined) report.add('unknownFile', name)
      else if (!reading) new Reading({ name, guild, channel, sizes, findings, report })
    }
    yield* findings.records(archive, report)
  } finally {
    await findings.close()
  }
}

interface Source {
  name: string
  guild: Fields
  channel: Fields
  sizes: Map<string, number>
  findings: Findings
  report: OmissionReport
}

/** Message types written by people and programs; all others describe events. */
const SPOKEN = new Set(['Default', 'Reply', 'ChatInputCommand', 'ContextMenuCommand', '0', '19', '20', '23'])
/** The number of recent messages that a reply can quote. */
const QUOTABLE = 10_000
const QUOTE_CHARACTERS = 100

class Reading {
  readonly #source: Source
  readonly #channelId: string
  readonly #writers: Set<string>
  readonly #quotes = new Map<string, string>()

  constructor(source: Source) {
    this.#source = source
    const { channel, findings } = source
    this.#channelId = textOf(channel['id'])
    const type = textOf(channel['type'])
    const isThread = type.includes('Thread')
    const isDirect = type.startsWith('Direct')
    const name = firstText(channel['name'], this.#channelId)
    this.#writers = new Set(findings.channels.get(this.#channelId)?.memberKeys)
    if (findings.channels.has(this.#channelId)) return
    findings.channels.set(this.#channelId, {
      kind: 'channel',
      key: this.#channelId,
      // The file does not state who may read a channel, and what is not known to be public must stay private.
      visibility: isDirect ? 'direct' : 'private',
      name: isThread ? `${textOf(channel['category'])} ${name}`.trim() : name,
      topic: textOf(channel['topic']),
      ownerKey: null,
      createdAt: timeOfId(this.#channelId),
      memberKeys: [],
    })
    // A thread that started with a message has that message's id, and its channel as category.
    const outer = textOf(channel['categoryId'])
    if (isThread) findings.threads.set(this.#channelId, { channelKey: outer, parentKey: `${outer}:${this.#channelId}` })
  }

  async message(message: Fields) {
    const { findings, report, channel } = this.#source
    const id = textOf(message['id'])
    const where = `${textOf(channel['name'])}: ${id}`
    const type = textOf(message['type'])
    const createdAt = timeOfText(message['timestamp'])
    if (type === 'Call' || message['callEndedTimestamp']) return report.add('calls', where)
    if (!SPOKEN.has(type)) return report.add('systemMessage', `${where} ${type}`)
    const author = fieldsOf(message['author'])
    const authorKey = this.#person(author)
    if (!createdAt || !id || !authorKey) return report.add('unknownMessage', where)
    if (message['isPinned'] === true) report.add('pins', where)
    const content = [...this.#quote(message), ...this.#content(message)]
    const files = objectsOf(message['attachments']).map((file) => this.#file(file))
    if (content.length === 0 && files.length === 0) return report.add('unknownMessage', where)
    await findings.addMessage({
      ...noMessage,
      key: `${this.#channelId}:${id}`,
      channelKey: this.#channelId,
      authorKey,
      createdAt,
      editedAt: timeOfText(message['timestampEdited']),
      content,
      reactions: this.#reactions(message),
      files,
    })
    if (!this.#writers.has(authorKey)) findings.channels.get(this.#channelId)?.memberKeys.push(authorKey)
    this.#writers.add(authorKey)
    const line = textOf(message['content']).replace(/\s+/g, ' ').trim().slice(0, QUOTE_CHARACTERS).toWellFormed()
    this.#quotes.set(id, `${firstText(author['nickname'], author['name'])}: ${line}`)
    if (this.#quotes.size > QUOTABLE) this.#quotes.delete(this.#quotes.keys().next().value as string)
  }

  #person(user: Fields): string {
    const key = textOf(user['id'])
    const { people } = this.#source.findings
    if (key && !people.has(key))
      people.set(key, {
        kind: 'person',
        key,
        username: firstText(user['name'], key),
        name: firstText(user['nickname'], user['name'], key),
        email: null,
        isBot: user['isBot'] === true,
        isDeactivated: false,
      })
    return key
  }

  /** Discord's replies are not threads: quotes the beginning of the original, with a link. */
  #quote(message: Fields): ContentPart[] {
    const reference = fieldsOf(message['reference'])
    const id = textOf(reference['messageId'])
    if (!id || !/^(Reply|19)$/.test(textOf(message['type']))) return []
    const channelId = firstText(reference['channelId'], this.#channelId)
    const guild = firstText(reference['guildId'], this.#source.guild['id'], '@me')
    const quote = this.#quotes.get(id)
    return [
      { text: quote === undefined ? '> ' : `> ${escapeMarkdown(quote, false)} ` },
      { message: `${channelId}:${id}`, text: `https://discord.com/channels/${guild}/${channelId}/${id}` },
      { text: '\n\n' },
    ]
  }

  #content(message: Fields): ContentPart[] {
    const { report } = this.#source
    const text = textOf(message['content'])
    const isBot = fieldsOf(message['author'])['isBot'] === true
    const byName = new Map<string, string>()
    for (const user of objectsOf(message['mentions']))
      for (const name of [user['name'], user['nickname']]) byName.set(textOf(name).toLowerCase(), this.#person(user))
    const stickers = objectsOf(message['stickers']).map((sticker) => {
      const name = textOf(sticker['name'])
      report.add('customEmoji', name)
      return `:${name}:`
    })
    // Programs write embeds; people's embeds only repeat what their links show.
    const embeds = isBot ? objectsOf(message['embeds']).map(embedText) : []
    const whole = [text, ...stickers, ...embeds].filter(Boolean).join('\n\n')
    return replaceParts(whole, /<(?:@[!&]?\d+|#\d+|a?:\w+:\d+|t:-?\d+(?::\w)?)>|@([^\s@][^@\n]{0,40})/g, (match) => {
      const [all, named] = match
      if (named !== undefined) return mentioned(named, byName)
      const id = /\d+(?=(:\w)?>$)/.exec(all)?.[0] ?? ''
      if (all.startsWith('<@&')) return { text: '@role' }
      if (all.startsWith('<@')) return { person: id }
      if (all.startsWith('<#')) return { channel: id }
      if (all.startsWith('<t:')) return { text: timeOfSeconds(id)?.replace(/T(\d\d:\d\d).*/, ' $1 UTC') ?? all }
      const emoji = /:\w+:/.exec(all)?.[0] ?? all
      report.add('customEmoji', emoji)
      return { text: emoji }
    })
  }

  #reactions(message: Fields) {
    return objectsOf(message['reactions']).flatMap((reaction) => {
      const { id, name, code } = fieldsOf(reaction['emoji'])
      const emoji = id ? undefined : asEmoji(textOf(name))
      if (!emoji) this.#source.report.add('customEmoji', `:${firstText(code, name)}:`)
      const personKeys = objectsOf(reaction['users']).map((user) => this.#person(user))
      return emoji && personKeys.length > 0 ? [{ emoji, personKeys }] : []
    })
  }

  #file(file: Fields): DraftFile {
    const { name: jsonName, sizes, report } = this.#source
    const url = textOf(file['url'])
    const name = firstText(file['fileName'], url)
    const path = jsonName.replace(/[^/]*$/, '') + url.replaceAll('\\', '/')
    const entry = [path, decoded(path)].find((candidate) => sizes.has(candidate)) ?? null
    if (entry === null) report.add(/^https?:/.test(url) ? 'externalFile' : 'missingFile', name)
    const size = entry === null ? sizeOf(file['fileSizeBytes']) : (sizes.get(entry) ?? null)
    return { key: textOf(file['id']), name, size, createdAt: timeOfText(null), entry }
  }
}

/** The longest name mentioned at the start of a text: names may contain spaces. */
function mentioned(text: string, byName: Map<string, string>): (ContentPart & { rest: string }) | undefined {
  for (let end = text.length; end > 0; end--) {
    const key = byName.get(text.slice(0, end).toLowerCase())
    if (key) return { person: key, rest: text.slice(end) }
  }
  const [, word = ''] = /^(everyone|here)\b/.exec(text) ?? []
  return word ? { broadcast: word === 'here' ? 'here' : 'channel', rest: text.slice(word.length) } : undefined
}

function embedText(embed: Fields): string {
  const title = textOf(embed['title'])
  const url = textOf(embed['url'])
  const fields = objectsOf(embed['fields']).map((field) => `**${textOf(field['name'])}**: ${textOf(field['value'])}`)
  const heading = title && url ? linkTo(url, escapeMarkdown(title, false)) : title && `**${title}**`
  return [heading, textOf(embed['description']), ...fields].filter(Boolean).join('\n')
}

/** Discord's ids contain their creation time, in milliseconds since 2015. */
const timeOfId = (id: string) =>
  /^\d{15,20}$/.test(id) ? timeOfText(new Date(Number(BigInt(id) >> 22n) + 1_420_070_400_000).toISOString()) : null

function decoded(path: string) {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
