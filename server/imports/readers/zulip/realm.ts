import { foldEmojiName } from '#contract/emoji'
import { MAX_CHANNELS, MAX_EMOJI, MAX_PEOPLE } from '../../archive/bounds.ts'
import type { ImportArchive, MessageRecord, OmissionReport } from '../../records.ts'
import { BoundedMap } from '../common/bounded-map.ts'
import { asAnyEmoji, emojiOfCodes } from '../common/emoji.ts'
import { namesIn } from '../common/entries.ts'
import type { Findings } from '../common/findings.ts'
import { entryOf, type Fields, firstText, numberOf, textOf } from '../common/values.ts'
import type { Named } from './zulip-text.ts'
import { timeOf } from './zulip-times.ts'

const [PERSONAL, STREAM] = [1, 2]
/** Lists on disk. */
const [SUBSCRIBERS, REACTIONS, ARCHIVED] = ['subscribers', 'reactions', 'archived at']
/** In the audit log. */
const CHANNEL_ARCHIVED = 602
/** Older versions renamed archived channels, so that others could have their names. */
const ARCHIVED_NAME = /^(?:[0-9a-f]{7}|!*)!DEACTIVATED:(?=.)/

/** An organization without its messages. Its tables may come in any order. */
export class Realm {
  readonly named: Named = {
    people: new BoundedMap(2 * MAX_PEOPLE, 'tooManyPeople'),
    channels: new BoundedMap(MAX_CHANNELS, 'tooManyChannels'),
    channelKeys: new Set(),
  }
  readonly #archive: ImportArchive
  readonly #findings: Findings
  readonly #report: OmissionReport
  readonly #recipients = new BoundedMap<{ type: number; id: string }>(MAX_CHANNELS + MAX_PEOPLE, 'tooManyChannels')
  /** The conversations of groups by recipient. */
  readonly #groups = new Map<string, string>()
  readonly #pictures: ReturnType<typeof picturesIn>
  /** Names that may have no picture. */
  readonly #emojiNames = new BoundedMap<null>(MAX_EMOJI, 'tooManyEmoji')

  constructor(archive: ImportArchive, root: string, findings: Findings, report: OmissionReport) {
    this.#archive = archive
    this.#findings = findings
    this.#report = report
    this.#pictures = picturesIn(archive, root)
  }

  row(table: string, row: Fields) {
    if (table === 'zerver_userprofile' || table === 'zerver_userprofile_crossrealm') this.#person(row)
    if (table === 'zerver_stream') this.#stream(row)
    if (table === 'zerver_recipient')
      this.#recipients.set(textOf(row['id']), { type: numberOf(row['type']), id: textOf(row['type_id']) })
    if (table === 'zerver_subscription' && row['active'] !== false)
      this.#findings.lists.add(SUBSCRIBERS, textOf(row['recipient']), textOf(row['user_profile']))
    if (table === 'zerver_reaction') this.#reaction(row)
    if (table === 'zerver_realmemoji') this.#emoji(row)
    if (table === 'zerver_realmauditlog' && row['event_type'] === CHANNEL_ARCHIVED) this.#archiving(row)
  }

  #person(row: Fields) {
    const key = textOf(row['id'])
    // Addresses may be hidden behind placeholders that cannot receive mail.
    const email = firstText(row['delivery_email'], row['email'])
    const name = firstText(row['full_name'], email, key)
    this.named.people.set(name, key)
    this.named.people.set(`${name}|${key}`, key)
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
    this.named.channelKeys.add(key)
    const isArchived = row['deactivated'] === true
    const name = isArchived ? textOf(row['name']).replace(ARCHIVED_NAME, '') : textOf(row['name'])
    if (!isArchived || !this.named.channels.has(name)) this.named.channels.set(name, key)
    this.#findings.channels.set(key, {
      kind: 'channel',
      key,
      visibility: row['invite_only'] === false ? 'public' : 'private',
      name,
      topic: textOf(row['description']),
      ownerKey: firstText(row['creator']) || null,
      createdAt: timeOf(row['date_created']),
      memberKeys: [],
      ...(isArchived && { archived: true }),
    })
  }

  #archiving(row: Fields) {
    const key = `stream ${textOf(row['modified_stream'])}`
    const at = timeOf(row['event_time'])
    if (at) this.#findings.lists.add(ARCHIVED, key, at)
  }

  #emoji(row: Fields) {
    const key = foldEmojiName(textOf(row['name']))
    const picture = this.#pictures.get(textOf(row['file_name']))
    if (!key) return
    this.#emojiNames.set(key, null)
    // An emoji that was replaced has the same name.
    if (!picture || row['deactivated'] === true) return
    this.#findings.emoji.set(key, {
      kind: 'emoji',
      key,
      aliases: [],
      authorKey: textOf(row['author']) || null,
      createdAt: timeOf(row['date_created']),
      size: picture.size,
      open: () => this.#archive.open(picture.name),
    })
  }

  #reaction(row: Fields) {
    const name = foldEmojiName(textOf(row['emoji_name']))
    const isUnicode = row['reaction_type'] === 'unicode_emoji'
    const emoji = isUnicode ? emojiOfCodes(textOf(row['emoji_code'])) : asAnyEmoji(`:${name}:`)
    if (!emoji) return this.#report.add('customEmoji', `:${name}:`)
    if (!isUnicode) this.#emojiNames.set(name, null)
    this.#findings.lists.add(REACTIONS, textOf(row['message']), [emoji, textOf(row['user_profile'])])
  }

  /** To be called after the last row. */
  finish() {
    const { channels, lists } = this.#findings
    for (const [recipient, { type, id }] of this.#recipients) {
      const channel = type === STREAM ? channels.get(`stream ${id}`) : undefined
      if (!channel) continue
      channel.memberKeys = this.#membersOf(recipient)
      this.#findings.members.add(channel.memberKeys)
    }
    for (const channel of channels.values())
      if (channel.archived) channel.archived = lists.all<string>(ARCHIVED, channel.key).sort().at(-1) ?? true
    for (const name of this.#emojiNames.keys())
      if (!this.#findings.emoji.has(name)) this.#report.add('customEmoji', `:${name}:`)
  }

  #membersOf(recipient: string): string[] {
    const keys = new Set(this.#findings.lists.all<string>(SUBSCRIBERS, recipient))
    keys.delete('')
    return [...keys]
  }

  reactionsTo(message: string): MessageRecord['reactions'] {
    const byEmoji = new Map<string, Set<string>>()
    for (const [emoji, key] of this.#findings.lists.all<[string, string]>(REACTIONS, message))
      entryOf(byEmoji, emoji, () => new Set<string>()).add(key)
    return [...byEmoji].map(([emoji, keys]) => ({ emoji, personKeys: [...keys] }))
  }

  /** The channel of a recipient. Conversations are added when their first message is read. */
  channelOf(recipientId: string, senderKey: string): string | undefined {
    const recipient = this.#recipients.get(recipientId)
    if (!recipient) return undefined
    if (recipient.type === STREAM) return `stream ${recipient.id}`
    if (recipient.type === PERSONAL) return this.#conversationOf([senderKey, recipient.id])
    const known = this.#groups.get(recipientId)
    if (known !== undefined) return known
    const members = this.#membersOf(recipientId)
    if (members.length === 0) return this.#conversationOf([senderKey])
    const key = this.#conversationOf(members)
    this.#groups.set(recipientId, key)
    return key
  }

  #conversationOf(people: string[]): string {
    const memberKeys = [...new Set(people)].filter(Boolean).sort()
    const key = `direct ${memberKeys.join(',')}`
    if (this.#findings.channels.has(key)) return key
    this.#findings.members.add(memberKeys)
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

/**
 * The pictures of emoji by file name, as in the table. The folder also contains still pictures of those that move, and originals
 * with the suffix '.original'.
 */
function picturesIn(archive: ImportArchive, root: string) {
  const names = new Set(namesIn(archive, `${root}emoji/`).filter((name) => !name.includes('/still/')))
  return new Map(archive.entries.filter(({ name }) => names.has(name)).map((it) => [it.name.replace(/.*\//, ''), it]))
}
