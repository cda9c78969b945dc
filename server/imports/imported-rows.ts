import { limits } from '#contract/limits'
import type { Db } from '../db/database.ts'
import { idAt } from '../db/ids.ts'
import type { AttachedRow } from '../files/file-rows.ts'
import type { EmojiNames } from './emoji-names.ts'
import type { KnownChannel } from './import-channels.ts'
import type { KnownPerson } from './import-people.ts'
import type { ImportJob } from './import-rows.ts'
import { asEmoji } from './readers/common/emoji.ts'
import type { ContentPart, MessageRecord, OmissionReport } from './records.ts'
import { type Names, renderContent, splitContent } from './render-content.ts'
import type { SlackOutcome } from './slack/slack-files.ts'
import { timeOf } from './times.ts'

/** A message of the archive with its files, which are already stored. */
export interface ReadyMessage {
  record: MessageRecord
  author: KnownPerson
  files: AttachedRow[]
}

export interface Batch {
  db: Db
  job: ImportJob
  source: string
  channel: KnownChannel
  people: ReadonlyMap<string, KnownPerson>
  names: Names
  emojiNames: EmojiNames
  report: OmissionReport
  /** What was fetched for its messages, and what was not. */
  fetched: SlackOutcome | undefined
}

export interface Parent {
  id: string
  threadId: string | null
  threadSeq: number
  replyCount: number
  lastRepliers: string[]
  lastReplyAt: string
  rev: number
  isChanged: boolean
}

/** The rows of some messages, with numbers that follow the channel's last ones. Updates the parents. */
export function rowsOf(
  { names, people, report, channel, emojiNames }: Batch,
  messages: ReadyMessage[],
  parents: Map<string, Parent>,
  last: { seq: number; rev: number; at: number },
) {
  const isMore = (part: number) => part > 0
  return messages.flatMap(({ record, author, files }) => {
    const { content, ...rendered } = renderContent(record.content, names)
    const pieces = splitContent(content)
    const earlier = earlierOf(record, names)
    if (pieces.length > 1) report.add('tooLongMessage', record.key)
    return pieces.map((piece, part) => {
      const given = record.parentKey === null ? undefined : parents.get(record.parentKey)
      const parent = given?.threadId ? [...parents.values()].find(({ id }) => id === given.threadId) : given
      // Keeps the times in the order of the numbers.
      const at = Math.max(timeOf(record.createdAt) ?? last.at, parent ? 0 : last.at)
      const createdAt = new Date(at).toISOString()
      if (!parent) last.at = at
      last.rev++
      const seq = parent ? ++parent.threadSeq : ++last.seq
      const id = idAt(at, parent ? seq + last.seq : seq)
      if (parent) noteReply(parent, author.id, createdAt, last.rev)
      const row = {
        id,
        channelId: channel.id,
        threadId: parent?.id ?? null,
        userId: author.id,
        content: piece,
        seq,
        rev: last.rev,
        createdAt,
        updatedAt: editTimeOf(record, at) ?? createdAt,
        editedAt: editTimeOf(record, at),
        deletedAt: laterOf(record.deletedAt, at),
        ...rendered,
        files: isMore(part) ? [] : files,
        reactions: isMore(part) ? [] : reactionsOf(record, people, emojiNames, report),
        earlier: isMore(part) || record.deletedAt ? [] : earlier,
        ...pinOf(isMore(part) ? undefined : record.pin, {
          author,
          people,
          createdAt,
          isDeleted: record.deletedAt !== null,
        }),
        key: isMore(part) ? `${record.key}#${part + 1}` : record.key,
        pending: isMore(part) ? null : pendingOf(record, earlier, rendered.isPending && pieces.length === 1),
      }
      if (!parent && !isMore(part))
        parents.set(record.key, {
          ...{ id, threadId: null, threadSeq: 0, replyCount: 0, lastRepliers: [], lastReplyAt: '', rev: row.rev },
          isChanged: false,
        })
      return row
    })
  })
}

export type Row = ReturnType<typeof rowsOf>[number]

function noteReply(parent: Parent, userId: string, at: string, rev: number) {
  parent.replyCount++
  parent.lastRepliers = [userId, ...parent.lastRepliers.filter((id) => id !== userId)].slice(0, limits.repliers)
  parent.lastReplyAt = at > parent.lastReplyAt ? at : parent.lastReplyAt
  parent.rev = rev
  parent.isChanged = true
}

const editTimeOf = ({ editedAt }: MessageRecord, createdAt: number) => laterOf(editedAt, createdAt)

function laterOf(time: string | null, createdAt: number) {
  const at = timeOf(time)
  return at === null ? null : new Date(Math.max(at, createdAt)).toISOString()
}

function reactionsOf(
  { reactions, key }: MessageRecord,
  people: Batch['people'],
  emojiNames: EmojiNames,
  report: OmissionReport,
) {
  const byEmoji = new Map<string, Set<string>>()
  for (const { emoji: written, personKeys } of reactions) {
    const emoji = emojiNames.here(written) ?? asEmoji(written)
    const ids = personKeys.flatMap((personKey) => people.get(personKey)?.id ?? [])
    if (!emoji) report.add('customEmoji', `${key}: ${written}`)
    else if (ids.length > 0 && (byEmoji.has(emoji) || byEmoji.size < limits.reactions)) {
      const known = byEmoji.get(emoji) ?? new Set()
      for (const id of ids) known.add(id)
      byEmoji.set(emoji, known)
    }
  }
  return [...byEmoji].map(([emoji, ids]) => ({ emoji, userIds: [...ids] }))
}

/** The texts before it was edited, oldest first. */
const earlierOf = ({ earlier = [] }: MessageRecord, names: Names) =>
  keptOf(earlier).map(({ content: parts, writtenAt }) => {
    const { content, isPending } = renderContent(parts, names)
    const [text = '', ...more] = splitContent(content)
    return { content: text, writtenAt, pending: isPending && more.length === 0 ? parts : null }
  })

/** The first text, which is what people read at the time, and the latest ones. */
const keptOf = <T>(earlier: T[]) =>
  earlier.length <= limits.versions.kept
    ? earlier
    : [...earlier.slice(0, 1), ...earlier.slice(1 - limits.versions.kept)]

/**
 * The parts of texts that link to messages that aren't imported yet: null for a text without such links. Of a message without
 * earlier texts, only the parts of its text, as the previous version writes and reads them.
 */
export type PendingTexts = ContentPart[] | { content: ContentPart[] | null; earlier: (ContentPart[] | null)[] }

function pendingOf(
  { content }: MessageRecord,
  earlier: { pending: ContentPart[] | null }[],
  isPending: boolean,
): PendingTexts | null {
  const parts = earlier.map(({ pending }) => pending)
  if (parts.some((text) => text !== null)) return { content: isPending ? content : null, earlier: parts }
  return isPending ? content : null
}

interface Pinned {
  author: KnownPerson
  people: Batch['people']
  createdAt: string
  isDeleted: boolean
}

/** If the archive doesn't say who pinned the message and when, its author did when it was written. */
function pinOf(pin: MessageRecord['pin'], { author, people, createdAt, isDeleted }: Pinned) {
  if (!pin || isDeleted) return { pinnedAt: null, pinnedBy: null }
  const by = pin.personKey === null ? undefined : people.get(pin.personKey)
  return { pinnedAt: laterOf(pin.at, Date.parse(createdAt)) ?? createdAt, pinnedBy: (by ?? author).id }
}
