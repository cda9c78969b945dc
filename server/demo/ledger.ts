import { v7 as uuid } from 'uuid'
import { limits } from '#contract/limits'
import { mentionedIn } from '#contract/mentions'
import type { FileMade } from './files.ts'
import type { Conversation, StoryMessage } from './story.ts'

const MINUTE_MS = 60_000

interface Place {
  channelId: string
  seq: number
  rev: number
  /** Time of the last message in milliseconds since 1970; 0 if there is none. */
  newest: number
  /** Ids of the members by username. */
  members: Map<string, string>
}

interface Line {
  at: number
  act: () => void
}

export type Ledger = ReturnType<typeof replay>

const iso = (at: number) => new Date(at).toISOString()

/**
 * Creates a conversation's rows for the database: each send, reply, reaction, edit and deletion takes the channel's next
 * revision, as in the writer, in the order of their times. Rows have all columns of their tables.
 */
export function replay(place: Place, { messages: story, away }: Conversation, make: (name: string) => FileMade) {
  const { channelId, members } = place
  let { seq, rev, newest } = place
  const messages: ReturnType<typeof draft>[] = []
  let reactions: { messageId: string; emoji: string; userId: string; createdAt: string }[] = []
  const files: ReturnType<typeof fileRow>[] = []
  const follows = new Map<string, { threadId: string; userId: string; lastReadSeq: number }>()
  const cursors = new Map<string, number>()
  const idOf = (username: string) => members.get(username) as string
  const isAway = (userId: string, at: number) => away.some((it) => idOf(it.username) === userId && at >= it.since)

  const lines: Line[] = story.flatMap((it) => {
    const parent = draft(it, null)
    return [...linesOf(it, parent), ...it.replies.flatMap((reply) => linesOf(reply, draft(reply, parent), parent))]
  })
  // The sort is stable: equal times keep the written order.
  for (const { act } of lines.sort((a, b) => a.at - b.at)) act()

  function draft(it: StoryMessage, parent: { id: string } | null) {
    const at = Math.max(it.at, place.newest + 1000)
    const userId = idOf(it.username)
    const named = mentionsOf(it.content)
    return {
      ...{ id: uuid({ msecs: at }), channelId, threadId: parent?.id ?? null, userId, content: it.content },
      ...{ clientId: `demo-${uuid({ msecs: at })}`, seq: 0, rev: 0, createdAt: iso(at), updatedAt: iso(at) },
      ...{ editedAt: null as string | null, deletedAt: null as string | null, files: [] as object[] },
      ...{ mentions: named.mentions, broadcast: named.broadcast, reactions: [] as object[] },
      ...{ threadSeq: 0, replyCount: 0, lastReplyAt: null as string | null, lastRepliers: [] as string[] },
    }
  }

  function mentionsOf(content: string) {
    const { names, broadcast } = mentionedIn(content)
    const mentioned = new Set(names.flatMap((readings) => readings.find((name) => members.has(name)) ?? []))
    return { mentions: [...mentioned].map((username) => ({ userId: idOf(username), username })), broadcast }
  }

  function linesOf(it: StoryMessage, row: ReturnType<typeof draft>, parent?: ReturnType<typeof draft>): Line[] {
    const at = Date.parse(row.createdAt)
    const all: Line[] = [{ at, act: () => (parent ? reply(row, parent) : send(row)) }]
    const touch = (later: number, act: () => void) => {
      const moment = at + later
      all.push({
        at: moment,
        act: () => {
          act()
          row.rev = ++rev
          row.updatedAt = iso(moment)
        },
      })
    }
    for (const name of it.files) attach(row, make(name))
    let nth = 0
    for (const { emoji, usernames } of it.reactions)
      for (const username of usernames) {
        // Within minutes, and at distinct times: the first ones are shown first.
        const later = 40_000 + nth++ * 7000
        touch(later, () => react(row, emoji, idOf(username), iso(at + later)))
      }
    if (it.isEdited)
      touch(2 * MINUTE_MS, () => {
        row.editedAt = iso(at + 2 * MINUTE_MS)
      })
    if (it.isDeleted) touch(3 * MINUTE_MS, () => erase(row, iso(at + 3 * MINUTE_MS), parent))
    return all
  }

  function send(row: ReturnType<typeof draft>) {
    row.seq = ++seq
    row.rev = ++rev
    newest = Date.parse(row.createdAt)
    messages.push(row)
    for (const userId of members.values())
      if (userId === row.userId || !isAway(userId, newest)) cursors.set(userId, seq)
  }

  function reply(row: ReturnType<typeof draft>, parent: ReturnType<typeof draft>) {
    row.seq = ++parent.threadSeq
    row.rev = parent.rev = ++rev
    messages.push(row)
    parent.updatedAt = parent.lastReplyAt = row.createdAt
    parent.replyCount++
    parent.lastRepliers = [row.userId, ...parent.lastRepliers.filter((id) => id !== row.userId)].slice(
      0,
      limits.repliers,
    )
    const named = (it: typeof row) => it.mentions.map(({ userId }) => userId)
    for (const userId of [row.userId, ...named(row), ...(row.seq === 1 ? [parent.userId, ...named(parent)] : [])])
      follow(parent.id, userId, row)
    for (const it of follows.values())
      if (it.threadId === parent.id && !isAway(it.userId, Date.parse(row.createdAt))) it.lastReadSeq = row.seq
  }

  /** The reply's author has read up to it; a new follower up to the reply before. */
  function follow(threadId: string, userId: string, row: ReturnType<typeof draft>) {
    const known = follows.get(threadId + userId)
    const isAuthor = userId === row.userId
    const lastReadSeq = isAuthor
      ? row.seq
      : (known?.lastReadSeq ?? (row.mentions.some((it) => it.userId === userId) ? row.seq - 1 : 0))
    follows.set(threadId + userId, { threadId, userId, lastReadSeq })
  }

  function react(row: ReturnType<typeof draft>, emoji: string, userId: string, createdAt: string) {
    reactions.push({ messageId: row.id, emoji, userId, createdAt })
    const here = reactions.filter((it) => it.messageId === row.id)
    row.reactions = [...new Set(here.map((it) => it.emoji))].map((it) => {
      const userIds = here.filter((one) => one.emoji === it).map((one) => one.userId)
      return { emoji: it, count: userIds.length, userIds }
    })
  }

  function erase(row: ReturnType<typeof draft>, deletedAt: string, parent?: ReturnType<typeof draft>) {
    reactions = reactions.filter((it) => it.messageId !== row.id)
    Object.assign(row, { content: '', deletedAt, mentions: [], broadcast: null, reactions: [], files: [] })
    if (!parent) return
    parent.rev = rev + 1
    parent.replyCount--
    const last = messages.filter((it) => it.threadId === parent.id && !it.deletedAt).toReversed()
    parent.lastReplyAt = last[0]?.createdAt ?? null
    parent.lastRepliers = [...new Set(last.map(({ userId }) => userId))].slice(0, limits.repliers)
  }

  function attach(row: ReturnType<typeof draft>, made: FileMade) {
    const file = fileRow(row, made)
    const { id, name, type, size, width, height, thumbnailSize, createdAt } = file
    row.files.push({ id, name, type, size, width, height, thumbnailSize, createdAt })
    files.push(file)
  }

  return { channelId, seq, rev, newest, messages, reactions, files, follows: [...follows.values()], cursors }
}

function fileRow(row: { id: string; channelId: string; userId: string; createdAt: string }, made: FileMade) {
  const { channelId, userId, id: messageId, createdAt } = row
  const { name, foldedName, type, size, width, height, thumbnail } = made
  const facts = { name, foldedName, type, size, width, height, thumbnailSize: thumbnail?.length ?? null }
  return { id: uuid({ msecs: Date.parse(createdAt) - 30_000 }), userId, channelId, messageId, ...facts, createdAt }
}
