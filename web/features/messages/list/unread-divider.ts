import { useState } from 'react'
import type { Channel, ReadCursor } from '#contract/channels'
import { useIsLooking } from './window-focus.ts'

/** The number at which the unread begins, and the cursor it was set by. */
type Divider = { from: number | undefined } & Pick<ReadCursor, 'unread' | 'readVersion'>

/**
 * Where the divider stands. It is set when the channel is opened and stays while it is read and while more is said; it
 * moves where something is marked unread, and to what was said first while nobody looked.
 * @param mayMove whether what is said now is not seen at once
 */
export function moveDivider(held: Divider | undefined, cursor: ReadCursor, mayMove: boolean): Divider {
  const { lastReadSeq, unread, readVersion } = cursor
  const first = unread > 0 ? lastReadSeq + 1 : undefined
  if (!held || readVersion > held.readVersion) return { from: first, unread, readVersion }
  if (unread === held.unread) return held
  const isBeginning = held.unread === 0 && mayMove
  return { from: isBeginning ? first : held.from, unread, readVersion: held.readVersion }
}

export function useDivider(channel: Channel | undefined, atBottom: boolean): number | undefined {
  const isLooking = useIsLooking()
  const [held, setHeld] = useState<Divider>()
  if (!channel || !isCounted(channel)) return undefined
  const next = moveDivider(held, channel, !isLooking || (!atBottom && held?.from === undefined))
  if (next !== held) setHeld(next)
  return next.from
}

/** A member has a cursor. */
const isCounted = (channel: Channel): channel is Channel & ReadCursor => channel.lastReadSeq !== undefined
