import type { Message } from '#contract/messages'
import { sameDay } from '../../../ui/format/clock-time.ts'
import type { PendingMessage } from '../outbox/outbox.ts'

/** What a list shows. A pending message and the stored one share a key, so that the row is not mounted again. */
export type ListItem = { key: string; anchorable: boolean } & (
  | { kind: 'day'; time: string }
  /** The unread divider; `time` names the day if a new one begins there. */
  | { kind: 'new'; time: string | undefined }
  | { kind: 'message'; message: Message; isGrouped: boolean }
  | { kind: 'pending'; pending: PendingMessage; isGrouped: boolean }
)

const GROUPING_MS = 5 * 60_000

export const NEW = 'new'

/** The key of a message's row. */
export const rowKey = ({ id, userId, clientId }: Pick<Message, 'id' | 'userId' | 'clientId'>) =>
  clientId ? `${userId} ${clientId}` : id

/**
 * Puts day dividers between messages, and groups those that one person sends within five minutes.
 * @param newFrom the `seq` of the first unread message
 */
export function listItems(
  messages: readonly Message[],
  pending: readonly PendingMessage[],
  me: string,
  newFrom?: number,
): ListItem[] {
  const stored = new Set(messages.filter(({ userId }) => userId === me).map(({ clientId }) => clientId))
  const rows: ListItem[] = []
  let last: { userId: string; time: string } | undefined

  function add(userId: string, time: string, isNew: boolean, row: (isGrouped: boolean) => ListItem) {
    const newDay = !last || !sameDay(new Date(last.time), new Date(time))
    const isSoon = last !== undefined && Date.parse(time) - Date.parse(last.time) < GROUPING_MS
    const added = row(!newDay && !isNew && last?.userId === userId && isSoon)
    if (isNew) rows.push({ kind: 'new', anchorable: false, key: NEW, time: newDay ? time : undefined })
    // Its key follows from the row below: clocks differ, so the same day may appear twice.
    else if (newDay) rows.push({ kind: 'day', anchorable: false, key: `day of ${added.key}`, time })
    rows.push(added)
    last = { userId, time }
  }

  for (const message of messages) {
    add(message.userId, message.createdAt, message.seq === newFrom, (isGrouped) => ({
      kind: 'message',
      anchorable: true,
      key: rowKey(message),
      message,
      isGrouped,
    }))
  }
  for (const one of pending) {
    // The event may come before the response to the sender: then the stored message replaces the pending one.
    if (stored.has(one.clientId)) continue
    const key = `${me} ${one.clientId}`
    add(me, one.createdAt, false, (isGrouped) => ({ kind: 'pending', anchorable: true, key, pending: one, isGrouped }))
  }
  return rows
}
