import { useQueryClient } from '@tanstack/react-query'
import { can } from '#contract/can'
import { useMe } from '../../../me.tsx'
import { isDeleted } from '../actions/pending-deletions.ts'
import { isListOpen, revealMessage } from '../outbox/open-conversations.ts'
import { startEdit } from '../outbox/open-edits.ts'
import { conversationKey, type Target } from '../outbox/pending-message.ts'
import { messagesIn } from '../sync/message-queries.ts'
import { undoLastSend } from './undo-send-by-key.ts'

/**
 * Opens my last message in a channel or thread for editing, or takes it back if it has not been sent. Returns false if there
 * is none or its list isn't on screen.
 */
export function useEditLastMessage({ channelId, threadId, of }: Target) {
  const client = useQueryClient()
  const me = useMe()
  return () => {
    if (undoLastSend(conversationKey({ channelId, threadId }))) return true
    const loaded = client.getQueryData(messagesIn(channelId, threadId).queryKey)
    // A window in the middle of a channel does not contain the last message.
    if (!loaded || loaded.hasNewer || !isListOpen(conversationKey({ channelId, threadId }))) return false
    const all = loaded.parent && !loaded.hasOlder ? [loaded.parent, ...loaded.messages] : loaded.messages
    const last = all.findLast((message) => can.editMessage(me, message) && !isDeleted(message))
    if (!last) return false
    revealMessage(conversationKey({ channelId, threadId }), last.id)
    startEdit(last, { kind: threadId === null ? 'channel' : 'thread', of })
    return true
  }
}
