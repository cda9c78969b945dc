import type { ReadCursor } from '#contract/channels'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import { keywordIn, meansMe } from './means-me.ts'

// How the read cursor of a channel or a thread follows messages and reads.

/** The `seq` of the newest message that a cursor counts. */
export const newestSeq = ({ lastReadSeq, unread }: ReadCursor) => lastReadSeq + unread

/**
 * Whether a message of somebody else mentions me, or contains a keyword of mine. '@here' always does: only online users receive the
 * event.
 */
export const mentionsMe = (message: Message, me: string) =>
  message.broadcast !== null ||
  message.mentions.some((mention) => meansMe(mention, me)) ||
  keywordIn(message) !== undefined

/** The cursor after a message. My own messages count as read; a message that was counted already changes nothing. */
export function advanceOnMessage(held: ReadCursor, message: Message, me: string): ReadCursor {
  const { lastReadSeq, readVersion, unread, mentions } = held
  const { seq, userId } = message
  if (seq <= newestSeq(held)) return { lastReadSeq, readVersion, unread, mentions }
  if (userId === me) return { lastReadSeq: seq, readVersion, unread: 0, mentions: 0 }
  const counted = mentions + (mentionsMe(message, me) ? 1 : 0)
  return { lastReadSeq, readVersion, unread: seq - lastReadSeq, mentions: Math.min(counted, limits.mentionsCounted) }
}

/** The later of two cursors: by `readVersion`, then by position, then by how many messages it counts. */
export function mergeCursor(held: ReadCursor, received: ReadCursor): ReadCursor {
  const { lastReadSeq, readVersion, mentions } = received
  const difference =
    readVersion - held.readVersion || lastReadSeq - held.lastReadSeq || newestSeq(received) - newestSeq(held)
  if (difference <= 0) return held
  return { lastReadSeq, readVersion, mentions, unread: Math.max(newestSeq(received), newestSeq(held)) - lastReadSeq }
}

/**
 * Whether a winning cursor has outdated counts: it was counted before cached messages that may mention me; or it moved
 * back and `isOlder` than the cache, so before changes to messages that count as unread again.
 */
export function isStale(received: ReadCursor, held: ReadCursor, isOlder: boolean) {
  if (mergeCursor(held, received) === held) return false
  if (received.lastReadSeq < held.lastReadSeq) return isOlder
  return newestSeq(received) < newestSeq(held) && held.mentions > 0
}

/** Whether a changed message may have become, or ceased to be, an unread mention of me. */
export const mayAffectMentions = (held: ReadCursor, message: Message, me: string) =>
  message.userId !== me && message.seq > held.lastReadSeq && (held.mentions > 0 || mentionsMe(message, me))
