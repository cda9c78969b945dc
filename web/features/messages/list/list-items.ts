import type { Message } from '#contract/messages'
import { sameDay } from '../../../ui/format/clock-time.ts'
import type { PendingMessage } from '../outbox/pending-message.ts'

/** A row of a list. A pending message and the stored one share a key, so that the row isn't remounted. */
export type ListItem = { key: string; anchorable: boolean } & (
  | { kind: 'day'; time: string }
  /** The unread divider; `time` names the day if a new one begins there. */
  | { kind: 'new'; time: string | undefined }
  /** Between the last loaded message and my pending ones. */
  | { kind: 'gap' }
  | { kind: 'message'; message: Message; isGrouped: boolean }
  | { kind: 'pending'; pending: PendingMessage; isGrouped: boolean }
)

/** An item of a channel's list, which includes the beginning of the conversation once that is loaded. */
export type ChannelItem = ListItem | { kind: 'beginning'; key: string; anchorable: boolean }

export const BEGINNING: ChannelItem = { kind: 'beginning', key: 'beginning', anchorable: false }

const GROUPING_MS = 5 * 60_000

export const UNREAD_DIVIDER_KEY = 'new'

/** The key of a message's row. */
export const rowKey = ({ id, userId, clientId }: Pick<Message, 'id' | 'userId' | 'clientId'>) =>
  clientId ? `${userId} ${clientId}` : id

/**
 * Adds day dividers between messages, and groups messages that one user sends within five minutes.
 * @param newFrom the `seq` of the first unread message
 * @param hasGap whether messages before the pending ones are not loaded
 */
export function listItems(
  messages: readonly Message[],
  pending: readonly PendingMessage[],
  me: string,
  newFrom?: number,
  hasGap = false,
): ListItem[] {
  const stored = new Set(messages.filter(({ userId }) => userId === me).map(({ clientId }) => clientId))
  const rows: ListItem[] = []
  let last: { userId: string; time: string } | undefined

  function add(userId: string, time: string, isNew: boolean, row: (isGrouped: boolean) => ListItem) {
    const isNewDay = !last || !sameDay(new Date(last.time), new Date(time))
    const isSoon = last !== undefined && Date.parse(time) - Date.parse(last.time) < GROUPING_MS
    const added = row(!isNewDay && !isNew && last?.userId === userId && isSoon)
    if (isNew) rows.push({ kind: 'new', anchorable: false, key: UNREAD_DIVIDER_KEY, time: isNewDay ? time : undefined })
    // The key is derived from the row below, because with differing clocks the same day may appear twice.
    else if (isNewDay) rows.push({ kind: 'day', anchorable: false, key: `day of ${added.key}`, time })
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
  if (hasGap && pending.length > 0) {
    rows.push({ kind: 'gap', anchorable: false, key: 'gap' })
    last = undefined
  }
  for (const message of pending) {
    // If the event arrives before the response to the sender, the stored message replaces the pending one.
    if (stored.has(message.clientId)) continue
    const key = `${me} ${message.clientId}`
    add(me, message.createdAt, false, (isGrouped) => ({
      kind: 'pending',
      anchorable: true,
      key,
      pending: message,
      isGrouped,
    }))
  }
  return rows
}
