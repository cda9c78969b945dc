/**
 * What a row shows of its thread: all of it, or, as I can no longer write there, only what I have written: the channel
 * 'ended' for me, or the thread was 'deleted'. 'unfollowed' shows all of it too.
 */
export type RowState = 'shown' | 'ended' | 'deleted' | 'unfollowed'

interface Facts {
  /** Whether the list no longer has it. */
  isGone: boolean
  /** Whether I am in its channel, and was since the row is shown. */
  isOpen: boolean
  wasOpen: boolean
  /** As the server says since it is gone: 'missing' if there is no such thread; undefined until it has answered. */
  cursor: { isFollowing: boolean } | 'missing' | undefined
}

export function rowState({ isGone, isOpen, wasOpen, cursor }: Facts): RowState {
  // The list says that I may read it, unless I saw its channel go.
  if (!isGone) return wasOpen && !isOpen ? 'ended' : 'shown'
  if (!isOpen) return 'ended'
  if (cursor === 'missing') return 'deleted'
  // A thread that is followed returns to the list.
  return cursor && !cursor.isFollowing ? 'unfollowed' : 'shown'
}
