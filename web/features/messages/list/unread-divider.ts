import { useState } from 'react'
import type { Channel, ReadCursor } from '#contract/channels'
import { useIsPageFocused } from './window-focus.ts'

/** The `seq` of the first unread message, and the cursor that it was computed from. */
type Divider = { from: number | undefined } & Pick<ReadCursor, 'unread' | 'readVersion'>

/**
 * Computes the divider's position. It is set when the channel opens, and stays while messages are read and arrive. It
 * moves when messages are marked unread, and to the first message that arrives unseen.
 * @param mayMove whether a message that arrives now would be unseen
 */
export function moveDivider(current: Divider | undefined, cursor: ReadCursor, mayMove: boolean): Divider {
  const { lastReadSeq, unread, readVersion } = cursor
  const first = unread > 0 ? lastReadSeq + 1 : undefined
  if (!current || readVersion > current.readVersion) return { from: first, unread, readVersion }
  if (unread === current.unread) return current
  const isBeginning = current.unread === 0 && mayMove
  return { from: isBeginning ? first : current.from, unread, readVersion: current.readVersion }
}

/**
 * The `seq` of the first unread message of a channel or thread, above which the divider is.
 * @param cursor undefined for those who have none
 */
export function useUnreadDivider(cursor: ReadCursor | undefined, atBottom: boolean): number | undefined {
  const isPageFocused = useIsPageFocused()
  const [current, setCurrent] = useState<Divider>()
  if (!cursor) return undefined
  const next = moveDivider(current, cursor, !isPageFocused || (!atBottom && current?.from === undefined))
  if (next !== current) setCurrent(next)
  return next.from
}

/** Only members have a cursor. */
export const isCounted = (channel: Channel): channel is Channel & ReadCursor => channel.lastReadSeq !== undefined
