import { useQueryClient } from '@tanstack/react-query'
import { can } from '#contract/can'
import { useMe } from '../../me.tsx'
import { isDeleted } from './deletions.ts'
import { startEdit } from './edits.ts'
import { messagesIn } from './message-queries.ts'
import { boxOf, type Target } from './pending-message.ts'
import { showRow } from './shown-lists.ts'

/** Opens my last message of a channel or thread to be changed; answers whether there is one. */
export function useEditOfLast({ channelId, threadId, of }: Target) {
  const client = useQueryClient()
  const me = useMe()
  return () => {
    const held = client.getQueryData(messagesIn(channelId, threadId).queryKey)
    // Opened in the middle of a channel, the list does not hold what was said last.
    if (!held || held.hasNewer) return false
    const all = held.parent && !held.hasOlder ? [held.parent, ...held.messages] : held.messages
    const last = all.findLast((message) => can.editMessage(me, message) && !isDeleted(message))
    if (!last) return false
    showRow(boxOf({ channelId, threadId }), last.id)
    startEdit(last, { kind: threadId === null ? 'channel' : 'thread', of })
    return true
  }
}
