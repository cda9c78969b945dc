import type { Message } from '#contract/messages'
import { serverNow } from '../../../ui/format/clock.ts'
import { sameDay } from '../../../ui/format/clock-time.ts'
import { type Row, rowsOf } from '../list/list-items.ts'
import type { PendingMessage } from '../outbox/outbox.ts'
import type { MessageWindow } from '../sync/message-window.ts'

/** What a thread shows, one by one: its parent, how many replies there are, and the replies. */
export type ThreadRow = Row | { kind: 'replies'; key: string; anchorable: boolean; count: number }

type Shown = Pick<MessageWindow, 'messages' | 'hasOlder'> & { parent: Message }

/** Days are named where they are not today's: above the parent, and above a reply of another day than what it follows. */
export function threadRows(
  { parent, messages, hasOlder }: Shown,
  pending: readonly PendingMessage[],
  me: string,
  today = new Date(serverNow()),
): ThreadRow[] {
  const replies = rowsOf(messages, pending, me)
  const count = hasOlder ? parent.replyCount : replies.filter(isReply).length
  return [
    ...withoutDay(rowsOf([parent], [], me), today),
    ...(replies.length > 0 ? [{ kind: 'replies', key: 'replies', anchorable: false, count } as const] : []),
    ...withoutDay(replies, new Date(parent.createdAt)),
  ]
}

const withoutDay = (rows: Row[], day: Date) =>
  rows[0]?.kind === 'day' && sameDay(new Date(rows[0].time), day) ? rows.slice(1) : rows

/** What is on its way counts already, what was taken back or could not go does not. */
const isReply = (row: Row) =>
  (row.kind === 'message' && !row.message.deletedAt) || (row.kind === 'pending' && row.pending.state !== 'failed')
