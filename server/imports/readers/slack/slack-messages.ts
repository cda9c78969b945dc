import { readElements } from '../../archive/read-json.ts'
import { ImportProblem } from '../../import-problem.ts'
import type { ChannelRecord, ImportArchive, ImportRecord, MessageRecord, OmissionReport } from '../../records.ts'
import type { DiskLists } from '../common/disk-lists.ts'
import { emojiOrName, reportPictureless } from '../common/emoji.ts'
import { limited } from '../common/limited.ts'
import { joined, styled } from '../common/markdown.ts'
import type { People } from '../common/people.ts'
import {
  entryOf,
  type Fields,
  fieldsOf,
  firstText,
  objectsOf,
  textOf,
  textsOf,
  timeOfSeconds,
} from '../common/values.ts'
import { slackContent } from './slack-blocks.ts'
import { filesOf } from './slack-files.ts'
import { listedPins, type Pins, pinOf } from './slack-pins.ts'

interface Channel {
  archive: ImportArchive
  report: OmissionReport
  people: People
  /** For what to remember of messages. */
  lists: DiskLists
  files: Map<string, { name: string; size: number }>
  /** The names of emoji whose pictures are in the archive. */
  emojiNames: ReadonlySet<string>
  channel: ChannelRecord
  /** The names of its daily files, in order. */
  days: string[]
}

/** Yields a channel's messages in the order of their times: some are in the wrong day's file. */
export async function* readChannel(source: Channel): AsyncGenerator<ImportRecord> {
  const { archive, report, channel, lists, days } = source
  for (const day of days) {
    try {
      for await (const message of readElements(archive, day))
        lists.addSorted(channel.key, secondsOf(fieldsOf(message)), message)
    } catch (error) {
      if (!(error instanceof ImportProblem) || error.reason !== 'damaged') throw error
      report.add('damagedLine', day)
    }
  }
  const pins = listedPins(lists, channel.key)
  const progress = { pins, last: '' }
  for (const message of lists.sorted(channel.key)) yield* readMessage(fieldsOf(message), source, progress)
  // Their messages are not in the archive.
  for (const ts of pins.keys()) report.add('pins', `${channel.name}: ${ts}`)
}

interface Progress {
  /** Those that no message had so far. */
  pins: Pins
  /** The place of the message that came last. */
  last: string
}

const secondsOf = (message: Fields) => Number(textOf(message['ts'])) || 0

/** Lists of messages so far, and of the first reply of each thread whose parent is missing. */
const [SEEN, FIRST_REPLIES] = ['seen', 'first replies']

/**
 * Subtypes written by people and programs, as opposed to Slack's own messages about joins, renames and the like. Memberships come
 * from the list of members.
 */
const SPOKEN = new Set([
  '',
  'bot_message',
  'me_message',
  'thread_broadcast',
  'file_share',
  'file_comment',
  'reply_broadcast',
])
const CALLS = new Set(['huddle_thread', 'sh_room_created', 'channel_call'])

function* readMessage(message: Fields, source: Channel, progress: Progress): Generator<ImportRecord> {
  const { report, people, channel } = source
  const ts = textOf(message['ts'])
  const createdAt = timeOfSeconds(ts)
  const where = `${channel.name}: ${ts}`
  const subtype = textOf(message['subtype'])
  if (!createdAt) return report.add('unknownMessage', where)
  if (CALLS.has(subtype)) return report.add('calls', where)
  const isDeleted = subtype === 'tombstone'
  if (!isDeleted && !SPOKEN.has(subtype)) return report.add('systemMessage', `${where} ${subtype}`)
  const place = placeOf(channel, ts)
  // Merged exports contain some days twice.
  if (progress.last === place) return
  progress.last = place
  source.lists.add(SEEN, place, null)

  const author = authorOf(message)
  yield* people.stranger(author.key, author.name, author.more)
  const reactions = reactionsOf(message, source)
  const pin = isDeleted ? undefined : pinOf(message, channel.key, progress.pins)
  const content = isDeleted ? [] : contentOf(message)
  const named = content.flatMap((part) => ('person' in part ? [part.person] : []))
  const others = [...reactions.flatMap(({ personKeys }) => personKeys), ...(pin?.personKey ? [pin.personKey] : [])]
  for (const key of [...named, ...others]) yield* people.stranger(key)

  const record: MessageRecord = {
    kind: 'message',
    key: `${channel.key}:${ts}`,
    channelKey: channel.key,
    parentKey: parentOf(message, source),
    authorKey: author.key,
    createdAt,
    editedAt: timeOfSeconds(fieldsOf(message['edited'])['ts']),
    deletedAt: isDeleted ? createdAt : null,
    content,
    ...(pin && { pin }),
    reactions,
    files: isDeleted ? [] : filesOf(message, source.archive, source.files, report),
  }
  const isEmpty = content.length === 0 && record.files.length === 0 && !isDeleted
  if (isEmpty && !objectsOf(message['files']).length) report.add('unknownMessage', where)
  // Tombstones are only needed for their replies.
  if (isDeleted && !message['reply_count'] && !objectsOf(message['replies']).length) return
  if (!isEmpty || message['reply_count']) yield* limited(record, report)
}

function contentOf(message: Fields) {
  const content = joined(slackContent(message))
  const isAction = textOf(message['subtype']) === 'me_message'
  return isAction
    ? content.map((part) =>
        'text' in part && !('message' in part) ? { text: styled(part.text, { italic: true }) } : part,
      )
    : content
}

/** A time in a channel, in microseconds: it may have been written with fewer decimals. */
const placeOf = ({ key }: ChannelRecord, ts: string) => `${key}:${Math.round(Number(ts) * 1e6) || ts}`

/** The parent of a reply; the first reply takes the place of a missing one. */
function parentOf(message: Fields, { channel, lists }: Channel): string | null {
  const [ts, threadTs] = [textOf(message['ts']), textOf(message['thread_ts'])]
  if (!threadTs || threadTs === ts) return null
  const thread = placeOf(channel, threadTs)
  if (lists.has(SEEN, thread)) return `${channel.key}:${threadTs}`
  const first = lists.last<string>(FIRST_REPLIES, thread)
  if (first === undefined) lists.add(FIRST_REPLIES, thread, ts)
  return first === undefined ? null : `${channel.key}:${first}`
}

/** The author. A program may use many names; each becomes a separate person. */
function authorOf(message: Fields) {
  const user = firstText(message['user'], fieldsOf(message['comment'])['user'])
  const profile = fieldsOf(message['user_profile'])
  if (user && message['subtype'] !== 'bot_message')
    return { key: user, name: firstText(profile['display_name'], profile['real_name'], profile['name']), more: {} }
  const name = firstText(message['username'], fieldsOf(message['bot_profile'])['name'])
  const key = firstText(message['bot_id'], user, 'bot')
  return { key: name ? `${key}:${name}` : key, name: name || key, more: { isBot: true, isDeactivated: false } }
}

function reactionsOf(message: Fields, { emojiNames, report }: Channel) {
  const byEmoji = new Map<string, Set<string>>()
  for (const reaction of objectsOf(message['reactions'])) {
    const name = textOf(reaction['name'])
    const emoji = emojiOrName(name)
    reportPictureless(name, emoji, emojiNames, report)
    if (!emoji) continue
    const people = entryOf(byEmoji, emoji, () => new Set())
    for (const key of textsOf(reaction['users'])) people.add(key)
  }
  return [...byEmoji].map(([emoji, people]) => ({ emoji, personKeys: [...people] }))
}
