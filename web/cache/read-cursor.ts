import type { ReadCursor } from '#contract/channels'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'

// How a cursor, of a channel or of a thread, follows what is said and read.

/** The number of the newest message a cursor was counted by. */
export const newest = ({ lastReadSeq, unread }: ReadCursor) => lastReadSeq + unread

/** Whether somebody's message calls me. By 'here' it does, because whoever hears it is here. */
const callsMe = ({ broadcast, mentions }: Message, me: string) =>
  broadcast !== null || mentions.some(({ userId }) => userId === me)

/** After a message. What one says oneself is read; one that was counted already changes nothing. */
export function afterMessage(held: ReadCursor, message: Message, me: string): ReadCursor {
  const { lastReadSeq, readVersion, unread, mentions } = held
  const { seq, userId } = message
  if (seq <= newest(held)) return { lastReadSeq, readVersion, unread, mentions }
  if (userId === me) return { lastReadSeq: seq, readVersion, unread: 0, mentions: 0 }
  const called = mentions + (callsMe(message, me) ? 1 : 0)
  return { lastReadSeq, readVersion, unread: seq - lastReadSeq, mentions: Math.min(called, limits.mentionsCounted) }
}

/** Of two cursors the one of higher `readVersion` holds, then the one further on, then the one that knows more messages. */
export function afterRead(held: ReadCursor, told: ReadCursor): ReadCursor {
  const { lastReadSeq, readVersion, mentions } = told
  const further = readVersion - held.readVersion || lastReadSeq - held.lastReadSeq || newest(told) - newest(held)
  if (further <= 0) return held
  return { lastReadSeq, readVersion, mentions, unread: Math.max(newest(told), newest(held)) - lastReadSeq }
}

/**
 * Whether a cursor that holds was counted before what is held by now: before messages that may have called me, or, where it
 * moved back and `isOlder` than what is held, before changes to messages that were read until then.
 */
export function knowsLess(told: ReadCursor, held: ReadCursor, isOlder: boolean) {
  if (afterRead(held, told) === held) return false
  if (told.lastReadSeq < held.lastReadSeq) return isOlder
  return newest(told) < newest(held) && held.mentions > 0
}

/** Whether a message that changed may have become, or ceased to be, one of the unread ones that call me. */
export const mayCount = (held: ReadCursor, message: Message, me: string) =>
  message.userId !== me && message.seq > held.lastReadSeq && (held.mentions > 0 || callsMe(message, me))
