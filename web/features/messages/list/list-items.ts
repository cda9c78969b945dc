import type { Message } from '#contract/messages'
import { sameDay } from '../../../ui/format/clock-time.ts'
import type { PendingMessage } from '../outbox/outbox.ts'

/** What the list shows, one by one. A key stays the same from the pending row to the stored one, so nothing blinks. */
export type Row = { key: string; anchorable: boolean } & (
  | { kind: 'day'; time: string }
  /** Where the unread begins; also names the day that begins there. */
  | { kind: 'new'; time: string | undefined }
  | { kind: 'message'; message: Message; continues: boolean }
  | { kind: 'pending'; pending: PendingMessage; continues: boolean }
)

const FIVE_MINUTES = 5 * 60_000

export const NEW = 'new'

/** The key of a message's row. */
export const keyOf = ({ id, userId, clientId }: Pick<Message, 'id' | 'userId' | 'clientId'>) =>
  clientId ? `${userId} ${clientId}` : id

/**
 * Messages with their days between them; what one person says within five minutes hangs together.
 * @param newFrom the number of the first message that is new to the reader
 */
export function rowsOf(
  messages: readonly Message[],
  pending: readonly PendingMessage[],
  me: string,
  newFrom?: number,
): Row[] {
  const stored = new Set(messages.filter(({ userId }) => userId === me).map(({ clientId }) => clientId))
  const rows: Row[] = []
  let last: { userId: string; time: string } | undefined

  function add(userId: string, time: string, isNew: boolean, row: (continues: boolean) => Row) {
    const newDay = !last || !sameDay(new Date(last.time), new Date(time))
    const isSoon = last !== undefined && Date.parse(time) - Date.parse(last.time) < FIVE_MINUTES
    const added = row(!newDay && !isNew && last?.userId === userId && isSoon)
    if (isNew) rows.push({ kind: 'new', anchorable: false, key: NEW, time: newDay ? time : undefined })
    // Named after the row below it: clocks differ, so a day may come twice.
    else if (newDay) rows.push({ kind: 'day', anchorable: false, key: `day of ${added.key}`, time })
    rows.push(added)
    last = { userId, time }
  }

  for (const message of messages) {
    add(message.userId, message.createdAt, message.seq === newFrom, (continues) => ({
      kind: 'message',
      anchorable: true,
      key: keyOf(message),
      message,
      continues,
    }))
  }
  for (const one of pending) {
    // The event may come before the reply to the sender: then the stored row has taken this one's place.
    if (stored.has(one.clientId)) continue
    const key = `${me} ${one.clientId}`
    add(me, one.createdAt, false, (continues) => ({ kind: 'pending', anchorable: true, key, pending: one, continues }))
  }
  return rows
}
