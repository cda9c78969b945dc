import type { Message } from '#contract/messages'
import { serverNow } from '../../../ui/format/clock.ts'
import { sameDay } from '../../../ui/format/clock-time.ts'
import { type ListItem, listItems } from '../list/list-items.ts'
import type { PendingMessage } from '../outbox/pending-message.ts'
import type { MessageWindow } from '../sync/message-window.ts'

/** The items of a thread: its parent, the number of replies, and the replies. */
export type ThreadItem = ListItem | { kind: 'replies'; key: string; anchorable: boolean; count: number }

type Thread = Pick<MessageWindow, 'messages' | 'hasOlder'> & { parent: Message }

/** Adds day dividers where the day changes, and above the parent unless it is from today. */
export function threadItems(
  { parent, messages, hasOlder }: Thread,
  pending: readonly PendingMessage[],
  me: string,
  today = new Date(serverNow()),
): ThreadItem[] {
  const replies = listItems(messages, pending, me)
  const count = hasOlder ? parent.replyCount : replies.filter(isReply).length
  return [
    ...withoutDay(listItems([parent], [], me), today),
    ...(replies.length > 0 ? [{ kind: 'replies', key: 'replies', anchorable: false, count } as const] : []),
    ...withoutDay(replies, new Date(parent.createdAt)),
  ]
}

const withoutDay = (rows: ListItem[], day: Date) =>
  rows[0]?.kind === 'day' && sameDay(new Date(rows[0].time), day) ? rows.slice(1) : rows

/** Pending replies count; deleted and failed ones do not. */
const isReply = (row: ListItem) =>
  (row.kind === 'message' && !row.message.deletedAt) || (row.kind === 'pending' && row.pending.state !== 'failed')
