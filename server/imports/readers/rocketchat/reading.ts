import { foldEmojiName } from '#contract/emoji'
import { MAX_CHANNELS, MAX_EMOJI, MAX_PEOPLE } from '../../archive/bounds.ts'
import type { MessageRecord, OmissionReport } from '../../records.ts'
import { BoundedMap } from '../common/bounded-map.ts'
import { asAnyEmoji, emojiNamed } from '../common/emoji.ts'
import { rocketchatNames } from '../common/emoji-names/rocketchat-names.ts'
import { type DraftFile, type Findings, noMessage } from '../common/findings.ts'
import { type Fields, fieldsOf, firstText, objectsOf, textOf, textsOf } from '../common/values.ts'
import { countOf, idOf, timeOf } from './collections.ts'
import { rocketchatContent } from './rocketchat-text.ts'
import type { StoredFiles } from './stored-files.ts'

/**
 * The id of the first room is the same in every workspace, so its creation time distinguishes workspaces. Other ids are random.
 */
const EVERYWHERE = 'GENERAL'

const CALLS = /^(jitsi|videoconf|livechat_webrtc)/
/** The link to an upload contains its id; years ago it had another form. */
const UPLOAD = /\/(?:file-upload|ufs\/[^/]+)\/([^/?#.]+)/

/** Turns documents into findings. */
export class Reading {
  readonly #findings: Findings
  readonly #files: StoredFiles
  readonly #report: OmissionReport
  readonly #byUsername = new BoundedMap<string>(MAX_PEOPLE, 'tooManyPeople')
  readonly #roomsByName = new BoundedMap<string>(MAX_CHANNELS, 'tooManyChannels')
  readonly #emojiNames = new BoundedMap<null>(MAX_EMOJI, 'tooManyEmoji')
  readonly #undated = new Set<string>()
  /** The people of channels with subscriptions. */
  readonly #members = new Map<string, Set<string>>()
  #everywhere = EVERYWHERE

  constructor(findings: Findings, files: StoredFiles, report: OmissionReport) {
    this.#findings = findings
    this.#files = files
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

  emoji(row: Fields) {
    const name = textOf(row['name'])
    const key = foldEmojiName(name)
    if (!key) return
    const found = this.#files.emojiBytes(name, textOf(row['extension']))
    if (!found) return this.#report.add('customEmoji', `:${key}:`)
    if (this.#findings.emoji.has(key)) return this.#report.add('takenEmoji', `:${key}:`)
    const { entry, size, createdAt } = found
    const aliases = textsOf(row['aliases']).map(foldEmojiName)
    for (const known of [key, ...aliases]) this.#emojiNames.set(known, null)
    this.#findings.emoji.set(key, {
      kind: 'emoji',
      key,
      aliases,
      authorKey: null,
      createdAt,
      size,
      open: () => this.#files.open(entry),
    })
  }

  room(row: Fields) {
    if (row['_id'] === EVERYWHERE) this.#everywhere = `${EVERYWHERE} ${timeOf(row['ts']) ?? ''}`
    const key = this.#roomKey(row['_id'])
    const type = textOf(row['t'])
    const name = firstText(row['fname'], row['name'], key)
    if (type === 'l' || type === 'v') return this.#report.add('unknownMessage', `${name} (${type})`)
    this.#roomsByName.set(textOf(row['name']).toLowerCase(), key)
    const createdAt = timeOf(row['ts'])
    if (createdAt === null) this.#undated.add(key)
    const memberKeys = type === 'd' ? [...new Set(this.#keys(row['uids'], row['usernames']))] : []
    this.#findings.members.add(memberKeys)
    this.#findings.channels.set(key, {
      kind: 'channel',
      key,
      visibility: type === 'd' ? 'direct' : type === 'c' ? 'public' : 'private',
      name,
      topic: firstText(row['topic'], row['description']),
      ownerKey: idOf(fieldsOf(row['u'])['_id']) || null,
      createdAt,
      memberKeys,
      ...(row['archived'] === true && { archived: true }),
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
    if (!channel || !key) return
    const members = this.#members.get(channel.key) ?? new Set(channel.memberKeys)
    this.#members.set(channel.key, members)
    if (members.has(key)) return
    this.#findings.members.add([key])
    channel.memberKeys.push(key)
    members.add(key)
  }

  async message(row: Fields) {
    const key = idOf(row['_id'])
    const channelKey = this.#roomKey(row['rid'])
    const type = textOf(row['t'])
    const where = `${channelKey}: ${key}`
    if (type === 'room-archived') this.#archivedAt(channelKey, timeOf(row['ts']))
    if (CALLS.test(type)) return this.#report.add('calls', where)
    // 'e2e' is end-to-end encrypted.
    if (type === 'e2e') return this.#report.add('unknownMessage', where)
    if (type) return this.#report.add('systemMessage', `${where} ${type}`)
    if (row['_hidden'] === true) return this.#replaced(row, where)
    if (!this.#findings.channels.has(channelKey)) return this.#report.add('unknownMessage', where)
    const author = fieldsOf(row['u'])
    const authorKey = idOf(author['_id'])
    const createdAt = timeOf(row['ts'])
    if (!key || !authorKey || !createdAt) return this.#report.add('unknownMessage', where)
    this.#known(authorKey, author)
    const files = objectsOf(row['attachments']).flatMap((it) => this.#file(it))
    const content = this.#content(row)
    this.#startedAt(channelKey, createdAt)
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
      ...(row['pinned'] === true && { pin: this.#pin(row) }),
      reactions: this.#reactions(row),
      files,
    })
  }

  #content(row: Fields) {
    const named = { people: this.#byUsername, channels: this.#roomsByName, emoji: this.#emojiNames }
    return rocketchatContent(row['msg'], objectsOf(row['attachments']), named)
  }

  /** Workspaces may keep texts before edits: each is a copy of the message, made and hidden when it was edited or pinned. */
  #replaced(row: Fields, where: string) {
    const parent = idOf(row['parent'])
    const replacedAt = timeOf(row['editedAt'])
    if (!parent || !replacedAt) return this.#report.add('systemMessage', where)
    return this.#findings.addReplaced(parent, { content: this.#content(row), replacedAt })
  }

  /** A room without a time is as old as its first message. */
  #startedAt(channelKey: string, at: string) {
    const channel = this.#findings.channels.get(channelKey)
    if (!channel || !this.#undated.has(channelKey)) return
    if (channel.createdAt === null || at < channel.createdAt) channel.createdAt = at
  }

  /** A room only says that it is archived; a message in it says since when. The last one counts. */
  #archivedAt(channelKey: string, at: string | null) {
    const channel = this.#findings.channels.get(channelKey)
    if (!channel?.archived || at === null) return
    if (channel.archived === true || channel.archived < at) channel.archived = at
  }

  /** Deleted users only appear as authors of their messages. */
  #known(key: string, user: Fields) {
    if (this.#findings.people.has(key)) return
    this.#report.add('unknownPerson', firstText(user['username'], key))
    this.user({ ...user, _id: key, active: false })
  }

  #pin(row: Fields): NonNullable<MessageRecord['pin']> {
    const person = fieldsOf(row['pinnedBy'])
    const personKey = idOf(person['_id']) || null
    if (personKey) this.#known(personKey, person)
    return { at: timeOf(row['pinnedAt']), personKey }
  }

  #reactions(row: Fields) {
    return Object.entries(fieldsOf(row['reactions'])).flatMap(([written, value]) => {
      const name = textOf(written).replaceAll(':', '')
      const isOwn = this.#emojiNames.has(foldEmojiName(name))
      const emoji = (isOwn ? undefined : emojiNamed(name, rocketchatNames)) ?? this.#customEmoji(name)
      const personKeys = this.#keys([], fieldsOf(value)['usernames'])
      return emoji && personKeys.length > 0 ? [{ emoji, personKeys: [...new Set(personKeys)] }] : []
    })
  }

  #customEmoji(name: string) {
    const key = foldEmojiName(name)
    const emoji = asAnyEmoji(`:${key}:`)
    if (!emoji || !this.#emojiNames.has(key)) this.#report.add('customEmoji', `:${key}:`)
    return emoji
  }

  #file(attachment: Fields): DraftFile[] {
    const id = UPLOAD.exec(textOf(attachment['title_link']))?.[1]
    if (id === undefined) return []
    const upload = this.#files.upload(id)
    const name = firstText(attachment['title'], upload?.name, 'file')
    const found = this.#files.uploadBytes(id)
    if (!found) this.#report.add('missingFile', name)
    const said = ['size', 'image_size', 'audio_size', 'video_size'].map((field) => countOf(attachment[field]))
    const size = found?.size ?? upload?.size ?? said.find((it) => it !== null) ?? null
    return [{ key: id, name, size, createdAt: upload?.createdAt ?? null, entry: found?.entry ?? null }]
  }
}
