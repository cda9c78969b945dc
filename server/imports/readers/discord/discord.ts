import { limits } from '#contract/limits'
import { readTables } from '../../archive/read-json.ts'
import { ImportProblem } from '../../import-problem.ts'
import type { ContentPart, ImportArchive, ImportReader, ImportRecord, OmissionReport } from '../../records.ts'
import { asAnyEmoji, asEmoji } from '../common/emoji.ts'
import { namesIn } from '../common/entries.ts'
import { type DraftFile, Findings, noMessage } from '../common/findings.ts'
import { escapeMarkdown, quoted } from '../common/markdown.ts'
import { replaceParts } from '../common/mentions.ts'
import {
  entryOf,
  type Fields,
  fieldsOf,
  firstText,
  objectsOf,
  sizeOf,
  textOf,
  timeOfSeconds,
  timeOfText,
} from '../common/values.ts'
import { CustomEmoji } from './custom-emoji.ts'
import { timeOfId } from './discord-ids.ts'
import { embedText, mentioned } from './discord-text.ts'
import { MediaFiles } from './media-files.ts'

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
    const media = new MediaFiles(archive)
    const emoji = new CustomEmoji(archive, findings, report)
    const shared = { media, emoji, writers: new Map<string, Set<string>>(), findings, report }
    for (const name of jsonFiles(archive)) {
      const [guild, channel]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}]
      let reading: Reading | undefined
      for await (const { table, key, value } of readTables(archive, name)) {
        if (table === 'guild') guild[key] = value
        if (table === 'channel') channel[key] = value
        if (table !== 'messages') continue
        reading ??= new Reading({ name, guild, channel, ...shared })
        await reading.message(fieldsOf(value))
      }
      if (!reading && channel['id'] === undefined) report.add('unknownFile', name)
      else if (!reading) new Reading({ name, guild, channel, ...shared })
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
  media: MediaFiles
  emoji: CustomEmoji
  /** Who wrote in each channel so far. */
  writers: Map<string, Set<string>>
  findings: Findings
  report: OmissionReport
}

/** Message types written by people and programs; all others describe events. */
const SPOKEN = new Set(['Default', 'Reply', 'ChatInputCommand', 'ContextMenuCommand', '0', '19', '20', '23'])
/** The number of recent messages that a reply can quote. */
const QUOTABLE = 10_000
const QUOTE_CHARACTERS = 100

/** The list of the keys of pinned messages. */
const PINNED = 'pinned'

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
    // A large channel has several files.
    this.#writers = entryOf(source.writers, this.#channelId, () => new Set())
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
    if (type === 'ChannelPinnedMessage' && this.#pinnedBy(message)) return
    if (!SPOKEN.has(type)) return report.add('systemMessage', `${where} ${type}`)
    const author = fieldsOf(message['author'])
    const authorKey = this.#person(author)
    if (!createdAt || !id || !authorKey) return report.add('unknownMessage', where)
    for (const emoji of emojiIn(message)) this.#addEmoji(emoji)
    const forwarded = fieldsOf(message['forwardedMessage'])
    const content = [...this.#quote(message), ...this.#forwarded(forwarded, message), ...this.#content(message)]
    const files = [
      ...objectsOf(message['attachments']).map((file) => this.#file(file)),
      // The message that was forwarded may have the same ones.
      ...objectsOf(forwarded['attachments']).map((file) => this.#file(file, `${this.#channelId}:${id}/`)),
    ]
    if (content.length === 0 && files.length === 0) return report.add('unknownMessage', where)
    const key = `${this.#channelId}:${id}`
    const isPinned = message['isPinned'] === true
    if (isPinned) findings.lists.addNew(PINNED, key)
    await findings.addMessage({
      ...noMessage,
      key,
      channelKey: this.#channelId,
      authorKey,
      createdAt,
      editedAt: timeOfText(message['timestampEdited']),
      content,
      ...(isPinned && { pin: { at: null, personKey: null } }),
      reactions: this.#reactions(message),
      files,
    })
    if (!this.#writers.has(authorKey)) {
      findings.members.add([authorKey])
      findings.channels.get(this.#channelId)?.memberKeys.push(authorKey)
      this.#writers.add(authorKey)
    }
    const line = firstText(message['content'], forwarded['content'])
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, QUOTE_CHARACTERS)
      .toWellFormed()
    const name = firstText(author['nickname'], author['name']).slice(0, limits.personName).toWellFormed()
    this.#quotes.set(id, `${name}: ${line}`)
    if (this.#quotes.size > QUOTABLE) this.#quotes.delete(this.#quotes.keys().next().value as string)
  }

  /** A notice says who pinned a message, and when. Returns whether that message is still pinned. */
  #pinnedBy(notice: Fields): boolean {
    const { findings } = this.#source
    const { messageId, channelId } = fieldsOf(notice['reference'])
    const key = `${firstText(channelId, this.#channelId)}:${textOf(messageId)}`
    const at = timeOfText(notice['timestamp'])
    if (at === null) return false
    // A message that was pinned again has several.
    if (at > (findings.pinOf(key)?.at ?? ''))
      findings.setPin(key, { at, personKey: this.#person(fieldsOf(notice['author'])) || null })
    return findings.lists.has(PINNED, key)
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

  /** Quotes a message that this one forwards. The file does not say who wrote it. */
  #forwarded(forwarded: Fields, { mentions, content }: Fields): ContentPart[] {
    const isProgram = textOf(forwarded['content']) === ''
    const parts = this.#content({ ...forwarded, mentions, author: { isBot: isProgram } })
    return parts.length === 0 ? [] : [...quoted(parts), { text: textOf(content) && '\n\n' }]
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
      if (!this.#source.emoji.has(id)) report.add('customEmoji', emoji)
      return { text: emoji }
    })
  }

  #addEmoji(emoji: Fields) {
    const { name, media } = this.#source
    this.#source.emoji.add(emoji, media.find(name, textOf(emoji['imageUrl'])))
  }

  #reactions(message: Fields) {
    return objectsOf(message['reactions']).flatMap((reaction) => {
      const { id, name, code } = fieldsOf(reaction['emoji'])
      const emoji = id ? asAnyEmoji(`:${textOf(name)}:`) : asEmoji(textOf(name))
      const hasPicture = !id || this.#source.emoji.has(textOf(id))
      if (!emoji || !hasPicture) this.#source.report.add('customEmoji', `:${firstText(code, name)}:`)
      const personKeys = objectsOf(reaction['users']).map((user) => this.#person(user))
      return emoji && personKeys.length > 0 ? [{ emoji, personKeys }] : []
    })
  }

  #file(file: Fields, keyPrefix = ''): DraftFile {
    const { name: jsonName, media, report } = this.#source
    const url = textOf(file['url'])
    const name = firstText(file['fileName'], url)
    const found = media.find(jsonName, url)
    if (!found) report.add(/^https?:/.test(url) ? 'externalFile' : 'missingFile', name)
    const size = found?.size ?? sizeOf(file['fileSizeBytes'])
    return { key: keyPrefix + textOf(file['id']), name, size, createdAt: null, entry: found?.name ?? null }
  }
}

/** Those in the text, in embeds and in reactions. */
const emojiIn = (message: Fields): Fields[] => [
  ...[message, ...objectsOf(message['embeds']), ...objectsOf(fieldsOf(message['forwardedMessage'])['embeds'])].flatMap(
    (part) => objectsOf(part['inlineEmojis']),
  ),
  ...objectsOf(message['reactions']).map((reaction) => fieldsOf(reaction['emoji'])),
]
