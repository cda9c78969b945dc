import { useState } from 'react'
import type { Channel, ReadCursor } from '#contract/channels'
import { useIsPageFocused } from './window-focus.ts'

/** The `seq` of the first unread message, and the cursor that it was computed from. */
type Divider = { from: number | undefined } & Pick<ReadCursor, 'unread' | 'readVersion'>

/**
 * Computes the divider's position. It is set when the channel opens, and stays while messages are read and arrive. It
 * moves when something is marked unread, and to the first message that arrives unseen.
 * @param mayMove whether a message that arrives now is not seen at once
 */
export function moveDivider(held: Divider | undefined, cursor: ReadCursor, mayMove: boolean): Divider {
  const { lastReadSeq, unread, readVersion } = cursor
  const first = unread > 0 ? lastReadSeq + 1 : undefined
  if (!held || readVersion > held.readVersion) return { from: first, unread, readVersion }
  if (unread === held.unread) return held
  const isBeginning = held.unread === 0 && mayMove
  return { from: isBeginning ? first : held.from, unread, readVersion: held.readVersion }
}

export function useUnreadDivider(channel: Channel | undefined, atBottom: boolean): number | undefined {
  const isPageFocused = useIsPageFocused()
  const [held, setHeld] = useState<Divider>()
  if (!channel || !isCounted(channel)) return undefined
  const next = moveDivider(held, channel, !isPageFocused || (!atBottom && held?.from === undefined))
  if (next !== held) setHeld(next)
  return next.from
}

/** Only members have a cursor. */
const isCounted = (channel: Channel): channel is Channel & ReadCursor => channel.lastReadSeq !== undefined
