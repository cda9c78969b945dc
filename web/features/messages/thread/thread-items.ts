import type { Message } from '#contract/messages'
import { serverNow } from '../../../ui/format/clock.ts'
import { sameDay } from '../../../ui/format/clock-time.ts'
import { type ListItem, listItems } from '../list/list-items.ts'
import type { PendingMessage } from '../outbox/pending-message.ts'
import type { MessageWindow } from '../sync/message-window.ts'

/** The items of a thread: its parent, the number of replies, and the replies. */
export type ThreadItem = ListItem | { kind: 'replies'; key: string; anchorable: boolean; count: number }

type Thread = Pick<MessageWindow, 'messages' | 'hasOlder'> & { parent: Message }

/**
 * Adds day dividers where the day changes, and above the parent unless it is from today.
 * @param newFrom the `seq` of the first unread reply
 */
export function threadItems(
  { parent, messages, hasOlder }: Thread,
  pending: readonly PendingMessage[],
  me: string,
  newFrom?: number,
  today = new Date(serverNow()),
): ThreadItem[] {
  const replies = listItems(messages, pending, me, newFrom)
  const count = hasOlder ? parent.replyCount : replies.filter(isReply).length
  return [
    ...withoutDay(listItems([parent], [], me), today),
    ...(replies.length > 0 ? [{ kind: 'replies', key: 'replies', anchorable: false, count } as const] : []),
    ...withoutDay(replies, new Date(parent.createdAt)),
  ]
}

function withoutDay(rows: ListItem[], day: Date): ListItem[] {
  const [first, ...rest] = rows
  if ((first?.kind !== 'day' && first?.kind !== 'new') || !first.time || !sameDay(new Date(first.time), day))
    return rows
  return first.kind === 'day' ? rest : [{ ...first, time: undefined }, ...rest]
}

/** Pending replies count; deleted and failed ones do not. */
const isReply = (row: ListItem) =>
  (row.kind === 'message' && !row.message.deletedAt) || (row.kind === 'pending' && row.pending.state !== 'failed')
