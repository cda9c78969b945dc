import { createHash } from 'node:crypto'
import { foldEmojiName } from '#contract/emoji'
import { MAX_CHANNELS, MAX_EMOJI, MAX_PEOPLE } from '../archive/bounds.ts'
import { readLines } from '../archive/read-json.ts'
import { ImportProblem } from '../import-problem.ts'
import type { ContentPart, ImportArchive, ImportReader, ImportRecord, OmissionReport } from '../records.ts'
import { BoundedMap } from './common/bounded-map.ts'
import { emojiOrName, reportPictureless, withEmoji } from './common/emoji.ts'
import { mattermostNames } from './common/emoji-names/mattermost-names.ts'
import { namesIn } from './common/entries.ts'
import { Findings, noMessage } from './common/findings.ts'
import { replaceParts, withMentions } from './common/mentions.ts'
import { type Fields, fieldsOf, firstText, numberOf, objectsOf, textOf, textsOf, timeOfMs } from './common/values.ts'

/** Mattermost's bulk export: JSON lines, and files in a folder 'data'. People are identified by username. */
export const mattermostReader: ImportReader = {
  format: 'mattermost',
  async recognizes(archive) {
    const name = linesOf(archive)
    if (!name) return false
    for await (const { value, number } of readLines(archive, name)) {
      if (fieldsOf(value)['type'] === 'version') return true
      if (number > 3) break
    }
    return false
  },
  /** The format contains only names. Those of teams, and the most common mail domain, hardly change between two exports. */
  async workspaceOf(archive) {
    const teams: string[] = []
    const domains = new BoundedMap<number>(MAX_PEOPLE, 'tooManyPeople')
    const name = linesOf(archive)
    for await (const { value } of name ? readLines(archive, name) : []) {
      const type = textOf(fieldsOf(value)['type'])
      if (/post$/.test(type)) break
      const fields = fieldsOf(fieldsOf(value)[type])
      if (type === 'team') teams.push(textOf(fields['name']))
      if (teams.length > MAX_CHANNELS) throw new ImportProblem('tooManyChannels')
      const [, domain] = type === 'user' ? textOf(fields['email']).split('@') : []
      if (domain) domains.set(domain, (domains.get(domain) ?? 0) + 1)
    }
    const [most = []] = [...domains].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    return [...teams.sort(), most[0] ?? ''].join(' ')
  },
  read,
}

const linesOf = (archive: ImportArchive) =>
  namesIn(archive, '')
    .filter((name) => /\.(jsonl|ndjson|json)$/i.test(name) && !/(^|\/)data\//.test(name))
    .sort((a, b) => a.length - b.length)[0]

async function* read(archive: ImportArchive, report: OmissionReport): AsyncGenerator<ImportRecord> {
  const name = linesOf(archive)
  if (!name) throw new ImportProblem('unknownFormat')
  const findings = await Findings.open()
  try {
    const reading = new Reading(archive, name, findings, report)
    for await (const { number, value } of readLines(archive, name)) {
      if (value === undefined) report.add('damagedLine', `${name}: line ${number}`)
      else await reading.line(fieldsOf(value))
    }
    reading.end()
    yield* findings.records(archive, report)
  } finally {
    await findings.close()
  }
}

/** Posts have no id in this format, so their channel, time, author and text identify them. */
const keyOf = (post: Fields, channel: string) => {
  const hash = createHash('sha256').update(textOf(post['message'])).digest('hex').slice(0, 16)
  return `${channel}:${textOf(post['create_at'])}:${textOf(post['user']).toLowerCase()}:${hash}`
}

const msOf = (value: unknown) => timeOfMs(numberOf(value))

const EMOJI = /(?<![\w:]):[a-z0-9_+'-]+:/gi
const plain = (parts: ContentPart[]) => parts.map((part) => ('text' in part ? part.text : '')).join('')

class Reading {
  readonly #archive: ImportArchive
  readonly #sizes: Map<string, number>
  readonly #folder: string
  readonly #findings: Findings
  readonly #report: OmissionReport
  /** By the names in reactions, and of emoji without a picture. */
  readonly #usedEmoji = new BoundedMap<string | undefined>(MAX_EMOJI, 'tooManyEmoji')

  constructor(archive: ImportArchive, name: string, findings: Findings, report: OmissionReport) {
    this.#archive = archive
    this.#sizes = new Map(archive.entries.map((entry) => [entry.name, entry.size]))
    this.#folder = name.replace(/[^/]*$/, '')
    this.#findings = findings
    this.#report = report
  }

  async line(line: Fields) {
    const type = textOf(line['type'])
    const fields = fieldsOf(line[type])
    if (type === 'version' && line['version'] !== 1) throw new ImportProblem('newerVersion')
    if (type === 'user') this.#user(fields, false)
    if (type === 'bot') this.#user(fields, true)
    if (type === 'channel') this.#channel(fields)
    if (type === 'emoji') this.#emoji(fields)
    if (type === 'direct_channel') this.#direct(membersOf(fields), fields)
    if (type === 'post') await this.#post(fields, channelKey(fields), null)
    if (type === 'direct_post') await this.#post(fields, this.#direct(textsOf(fields['channel_members'])), null)
  }

  /** An export contains emoji after the posts. */
  end() {
    for (const [name, emoji] of this.#usedEmoji) reportPictureless(name, emoji, this.#findings.emoji, this.#report)
  }

  #user(user: Fields, isBot: boolean) {
    const key = textOf(user['username']).toLowerCase()
    const fullName = `${textOf(user['first_name'])} ${textOf(user['last_name'])}`
    if (!key) return
    this.#findings.people.set(key, {
      kind: 'person',
      key,
      username: key,
      name: firstText(user['nickname'], fullName, user['display_name'], key),
      email: firstText(user['email']) || null,
      isBot,
      isDeactivated: !isBot && numberOf(user['delete_at']) > 0,
    })
    for (const team of objectsOf(user['teams']))
      for (const channel of objectsOf(team['channels'])) {
        const found = this.#findings.channels.get(`${textOf(team['name'])}/${textOf(channel['name'])}`)
        if (!found) continue
        this.#findings.members.add([key])
        found.memberKeys.push(key)
      }
  }

  #channel(channel: Fields) {
    const key = `${textOf(channel['team'])}/${textOf(channel['name'])}`
    this.#findings.channels.set(key, {
      kind: 'channel',
      key,
      visibility: channel['type'] === 'O' ? 'public' : 'private',
      name: firstText(channel['display_name'], channel['name']),
      topic: firstText(channel['header'], channel['purpose']),
      ownerKey: null,
      createdAt: msOf(channel['create_at']),
      memberKeys: [],
      ...(numberOf(channel['deleted_at']) > 0 && { archived: msOf(channel['deleted_at']) ?? true }),
    })
  }

  #emoji(emoji: Fields) {
    const key = foldEmojiName(textOf(emoji['name']))
    const entry = this.#entryOf(textOf(emoji['image']))
    if (entry === undefined) return void this.#usedEmoji.set(key, undefined)
    this.#findings.emoji.set(key, {
      ...{ kind: 'emoji', key, aliases: [], authorKey: null, createdAt: null },
      ...{ size: this.#sizes.get(entry) ?? 0, open: () => this.#archive.open(entry) },
    })
  }

  #direct(members: string[], fields: Fields = {}) {
    const memberKeys = [...new Set(members.map((name) => name.toLowerCase()))].sort()
    const key = `@${memberKeys.join(',')}`
    if (this.#findings.channels.has(key)) return key
    this.#findings.members.add(memberKeys)
    this.#findings.channels.set(key, {
      kind: 'channel',
      key,
      visibility: 'direct',
      name: '',
      topic: textOf(fields['header']),
      ownerKey: null,
      createdAt: null,
      memberKeys,
    })
    return key
  }

  /** @returns the key of the message that replies belong to; null if it is omitted */
  async #post(post: Fields, channel: string, parentKey: string | null): Promise<string | null> {
    const key = keyOf(post, channel)
    const createdAt = msOf(post['create_at'])
    const authorKey = textOf(post['user']).toLowerCase()
    const type = textOf(post['type'])
    const isSystem = type.startsWith('system_')
    if (isSystem) this.#report.add('systemMessage', `${channel}: ${type}`)
    else if (type === 'custom_calls') this.#report.add('calls', channel)
    else if (!createdAt || !authorKey) this.#report.add('unknownMessage', `${channel}: ${key}`)
    const isKept = !isSystem && type !== 'custom_calls' && createdAt !== null && authorKey !== ''
    if (isKept)
      await this.#findings.addMessage({
        ...noMessage,
        key,
        channelKey: channel,
        parentKey,
        authorKey,
        createdAt,
        editedAt: msOf(post['edit_at']),
        content: this.#content(post),
        ...(post['is_pinned'] === true && { pin: { at: null, personKey: null } }),
        reactions: this.#reactions(post),
        files: objectsOf(post['attachments']).map((file, index) => this.#file(file, `${key}/${index}`)),
      })
    // If the post is omitted, its first reply becomes the parent.
    let parent = parentKey ?? (isKept ? key : null)
    for (const reply of objectsOf(post['replies'])) {
      const answered = await this.#post({ team: post['team'], ...reply }, channel, parent)
      parent ??= answered
    }
    return parent
  }

  #content(post: Fields): ContentPart[] {
    const attached = objectsOf(fieldsOf(post['props'])['attachments']).map((it) =>
      [it['pretext'], it['title'] && `**${textOf(it['title'])}**`, firstText(it['text'], it['fallback'])]
        .map(textOf)
        .filter(Boolean)
        .join('\n\n'),
    )
    const text = [textOf(post['message']), ...attached].filter(Boolean).join('\n\n')
    const shown = replaceParts(text, EMOJI, ([name]) => ({ text: withEmoji(name, mattermostNames) }))
    const team = textOf(post['team'])
    const isPerson = (name: string) => (this.#findings.people.has(name) ? name : undefined)
    return withMentions(plain(shown), isPerson).flatMap((part) =>
      'text' in part && !('message' in part)
        ? replaceParts(part.text, /(?<![\p{L}\p{N}~])~([a-z0-9][a-z0-9._-]*[a-z0-9])/giu, ([, word = '']) => {
            const channel = `${team}/${word.toLowerCase()}`
            return this.#findings.channels.has(channel) ? { channel, name: word } : undefined
          })
        : part,
    )
  }

  #reactions(post: Fields) {
    const byEmoji = new Map<string, Set<string>>()
    for (const reaction of objectsOf(post['reactions'])) {
      const name = foldEmojiName(textOf(reaction['emoji_name']))
      const emoji = emojiOrName(name, mattermostNames)
      this.#usedEmoji.set(name, emoji)
      if (!emoji) continue
      const keys = byEmoji.get(emoji) ?? new Set()
      byEmoji.set(emoji, keys.add(textOf(reaction['user']).toLowerCase()))
    }
    return [...byEmoji].map(([emoji, keys]) => ({ emoji, personKeys: [...keys].filter(Boolean) }))
  }

  /** The archive's name of a path in a line. */
  #entryOf(path: string) {
    return [`${this.#folder}data/${path}`, this.#folder + path, path].find((name) => this.#sizes.has(name))
  }

  #file(file: Fields, key: string) {
    const path = textOf(file['path'])
    const entry = this.#entryOf(path)
    const name = path.split('/').at(-1) ?? path
    if (entry === undefined) this.#report.add('missingFile', path)
    return {
      key,
      name,
      size: entry === undefined ? null : (this.#sizes.get(entry) ?? null),
      createdAt: null,
      entry: entry ?? null,
    }
  }
}

const channelKey = (post: Fields) => `${textOf(post['team'])}/${textOf(post['channel'])}`
const membersOf = (fields: Fields) => {
  const members = textsOf(fields['members'])
  return members.length > 0 ? members : objectsOf(fields['participants']).map((it) => textOf(it['username']))
}
