/**
 * What a row shows of its thread. 'shown' and 'unfollowed' show all of it. If the channel 'ended' for me or the thread was
 * 'deleted', only my unsent text is left, because I can no longer write there.
 */
export type RowState = 'shown' | 'ended' | 'deleted' | 'unfollowed'

interface Facts {
  /** Whether the list no longer has it. */
  isGone: boolean
  /** Whether I am in its channel, and whether I was at any time since the row appeared. */
  isOpen: boolean
  wasOpen: boolean
  /** The server's answer since it is gone: 'missing' if there is no such thread; undefined until it has answered. */
  cursor: { isFollowing: boolean } | 'missing' | undefined
}

export function rowState({ isGone, isOpen, wasOpen, cursor }: Facts): RowState {
  // A listed thread may be read, unless its channel has ended since.
  if (!isGone) return wasOpen && !isOpen ? 'ended' : 'shown'
  if (!isOpen) return 'ended'
  if (cursor === 'missing') return 'deleted'
  // A thread that is followed returns to the list.
  return cursor && !cursor.isFollowing ? 'unfollowed' : 'shown'
}
