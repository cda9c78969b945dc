import type { ReadCursor } from '#contract/channels'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'

// How a cursor, of a channel or of a thread, follows what is said and read.

/** The number of the newest message a cursor was counted by. */
export const newestSeq = ({ lastReadSeq, unread }: ReadCursor) => lastReadSeq + unread

/** Whether a message mentions me. '@here' always does: I am here to receive it. */
export const mentionsMe = ({ broadcast, mentions }: Message, me: string) =>
  broadcast !== null || mentions.some(({ userId }) => userId === me)

/** After a message. What one says oneself is read; one that was counted already changes nothing. */
export function advanceOnMessage(held: ReadCursor, message: Message, me: string): ReadCursor {
  const { lastReadSeq, readVersion, unread, mentions } = held
  const { seq, userId } = message
  if (seq <= newestSeq(held)) return { lastReadSeq, readVersion, unread, mentions }
  if (userId === me) return { lastReadSeq: seq, readVersion, unread: 0, mentions: 0 }
  const called = mentions + (mentionsMe(message, me) ? 1 : 0)
  return { lastReadSeq, readVersion, unread: seq - lastReadSeq, mentions: Math.min(called, limits.mentionsCounted) }
}

/** Of two cursors the one of higher `readVersion` holds, then the one further on, then the one that knows more messages. */
export function mergeCursor(held: ReadCursor, told: ReadCursor): ReadCursor {
  const { lastReadSeq, readVersion, mentions } = told
  const further = readVersion - held.readVersion || lastReadSeq - held.lastReadSeq || newestSeq(told) - newestSeq(held)
  if (further <= 0) return held
  return { lastReadSeq, readVersion, mentions, unread: Math.max(newestSeq(told), newestSeq(held)) - lastReadSeq }
}

/**
 * Whether a cursor that holds was counted before what is held by now: before messages that may have called me, or, where it
 * moved back and `isOlder` than what is held, before changes to messages that were read until then.
 */
export function isStale(told: ReadCursor, held: ReadCursor, isOlder: boolean) {
  if (mergeCursor(held, told) === held) return false
  if (told.lastReadSeq < held.lastReadSeq) return isOlder
  return newestSeq(told) < newestSeq(held) && held.mentions > 0
}

/** Whether a message that changed may have become, or ceased to be, one of the unread ones that call me. */
export const mayAffectMentions = (held: ReadCursor, message: Message, me: string) =>
  message.userId !== me && message.seq > held.lastReadSeq && (held.mentions > 0 || mentionsMe(message, me))
