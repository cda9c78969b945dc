import type { Changes } from '#contract/changes'
import type { Payload } from '#contract/events'
import type { Message } from '#contract/messages'
import type { User } from '#contract/users'
import { type MessageUpdate, updateFromMessage, updateFromReaction } from '../cache/message-update.ts'
import type { MessageWindow } from '../features/messages/sync/message-window.ts'
import { aMessage } from './a-message.ts'

/** A message as the model stores it: reactors by id, replies not counted. */
interface Row {
  message: Message
  reactors: Record<string, string[]>
}
/** An event of one revision, or of a rename. */
export type ModelEvent = { update: MessageUpdate } | { renamed: Payload<'user:updated'> }

const PEOPLE = ['ada', 'bob', 'eve']
const LIMIT = 5

export type ModelChannel = ReturnType<typeof modelChannel>

/** A model of a channel on the server: every change is one revision and publishes one event. */
export function modelChannel() {
  let rev = 0
  let peopleVersion = 0
  const rows: Row[] = []
  const names = new Map(PEOPLE.map((id) => [id, id]))
  const events: ModelEvent[] = []

  const userOf = (id: string): User => ({ id, username: id, name: names.get(id) ?? id })
  const publish = (update: MessageUpdate) => void events.push({ update })
  const nth = (all: Row[], at: number) => all[at % Math.max(1, all.length)]
  const parents = () => rows.filter(({ message }) => message.threadId === null)
  const repliesTo = (id: string) => rows.filter(({ message }) => message.threadId === id)

  function shown({ message, reactors }: Row): Message {
    const live = repliesTo(message.id).filter((reply) => reply.message.deletedAt === null)
    const repliers = live.map((reply) => reply.message.userId).reverse()
    const reacted = Object.entries(reactors).filter(([, ids]) => ids.length > 0)
    return {
      ...message,
      user: userOf(message.userId),
      reactions: Object.fromEntries(reacted.map(([emoji, ids]) => [emoji, ids.map(userOf)])),
      reactionCounts: Object.fromEntries(reacted.map(([emoji, ids]) => [emoji, ids.length])),
      replyCount: live.length,
      lastReplyAt: live.at(-1)?.message.createdAt ?? null,
      lastRepliers: [...new Set(repliers)].slice(0, 3).map(userOf),
    }
  }

  /** Changes a message under the channel's next revision. */
  function touch(row: Row, to: Partial<Message> = {}) {
    row.message = { ...row.message, ...to, rev, updatedAt: `at ${rev}` }
  }

  /** The part of a reply's event about its parent, which changes as well. */
  function parentUpdate({ message: { threadId } }: Row) {
    const parent = rows.find(({ message }) => message.id === threadId)
    if (!parent) return {}
    touch(parent)
    const { id, updatedAt, replyCount, lastReplyAt, lastRepliers } = shown(parent)
    return { parent: { id, updatedAt, replyCount, lastReplyAt, lastRepliers } }
  }

  function add(threadId: string | null, by: number) {
    rev++
    const beside = threadId === null ? parents() : repliesTo(threadId)
    const userId = PEOPLE[by % PEOPLE.length] as string
    const times = { createdAt: `at ${rev}`, updatedAt: `at ${rev}` }
    const said = { id: `said at ${rev}`, threadId, userId, rev, content: `said at ${rev}`, ...times }
    const row = { message: aMessage(beside.length + 1, said), reactors: {} }
    rows.push(row)
    publish(updateFromMessage({ ...shown(row), ...parentUpdate(row) }))
    return shown(row)
  }

  function windowOn(all: Row[], before: number): MessageWindow {
    const messages = all
      .map(shown)
      .filter(({ seq }) => seq < before)
      .slice(-LIMIT)
    return { messages, hasOlder: messages.length === LIMIT, hasNewer: false, rev }
  }

  return {
    events,
    get rev() {
      return rev
    },
    send: (by = 0) => add(null, by),
    reply(at: number, by = 0) {
      const parent = nth(parents(), at)
      return parent && add(parent.message.id, by)
    },
    change(at: number) {
      const row = nth(rows, at)
      if (!row || row.message.deletedAt) return
      rev++
      touch(row, { content: `changed at ${rev}` })
      publish(updateFromMessage(shown(row)))
    },
    remove(at: number) {
      const row = nth(rows, at)
      if (!row || row.message.deletedAt) return
      rev++
      row.reactors = {}
      touch(row, { content: '', deletedAt: `at ${rev}` })
      publish(updateFromMessage({ ...shown(row), ...parentUpdate(row) }))
    },
    /** Adds a reaction, or removes it if it is there. */
    react(at: number, by: number, emoji: string) {
      const row = nth(rows, at)
      if (!row || row.message.deletedAt) return
      rev++
      const userId = PEOPLE[by % PEOPLE.length] as string
      const before = row.reactors[emoji] ?? []
      const hasReacted = before.includes(userId)
      row.reactors[emoji] = hasReacted ? before.filter((id) => id !== userId) : [...before, userId]
      touch(row)
      const { reactions, reactionCounts, updatedAt } = shown(row)
      const users = reactions[emoji] ?? []
      const payload = {
        channelId: 'c',
        rev,
        messageId: row.message.id,
        updatedAt,
        users,
        count: reactionCounts[emoji] ?? 0,
      }
      publish(
        updateFromReaction(
          hasReacted ? { ...payload, emoji, userId } : { ...payload, reaction: { emoji, user: userOf(userId) } },
        ),
      )
    },
    join() {
      rev++
      publish({ channelId: 'c', rev })
    },
    rename(by: number) {
      const id = PEOPLE[by % PEOPLE.length] as string
      peopleVersion++
      names.set(id, `name ${peopleVersion}`)
      events.push({ renamed: { ...userOf(id), peopleVersion } })
    },
    /** A page of the channel, or of the thread of one of its messages. */
    page(threadId: string | null, before = Number.POSITIVE_INFINITY): MessageWindow {
      if (threadId === null) return windowOn(parents(), before)
      const parent = parents().find(({ message }) => message.id === threadId) as Row
      return { parent: shown(parent), ...windowOn(repliesTo(threadId), before) }
    },
    parentAt: (at: number) => nth(parents(), at)?.message.id,
    changes(after: number, maxChanges = 500): Changes {
      const changed = rows.filter(({ message }) => message.rev > after).map(shown)
      if (after > rev || changed.length > maxChanges) return { rev, reload: true }
      return { rev, messages: changed.sort((a, b) => a.rev - b.rev) }
    },
    /** A fresh read of everything in the channel, or in a thread. */
    all: (threadId: string | null = null) => (threadId === null ? parents() : repliesTo(threadId)).map(shown),
    message: (id: string) => shown(rows.find(({ message }) => message.id === id) as Row),
  }
}
