import type { Message } from '#contract/messages'
import { sameDay } from './message-times.ts'
import type { PendingMessage } from './outbox.ts'

/** What the list shows, one by one. A key stays the same from the pending row to the stored one, so nothing blinks. */
export type Row = { key: string; anchorable: boolean } & (
  | { kind: 'day'; time: string }
  | { kind: 'message'; message: Message; continues: boolean }
  | { kind: 'pending'; pending: PendingMessage; continues: boolean }
)

const FIVE_MINUTES = 5 * 60_000

/** Messages with their days between them; what one person says within five minutes hangs together. */
export function rowsOf(messages: readonly Message[], pending: readonly PendingMessage[], me: string): Row[] {
  const stored = new Set(messages.filter(({ userId }) => userId === me).map(({ clientId }) => clientId))
  const rows: Row[] = []
  let last: { userId: string; time: string } | undefined

  function add(userId: string, time: string, row: (continues: boolean) => Row) {
    const newDay = !last || !sameDay(new Date(last.time), new Date(time))
    const continues = !newDay && last?.userId === userId && Date.parse(time) - Date.parse(last.time) < FIVE_MINUTES
    const added = row(continues)
    // Named after the row below it: clocks differ, so a day may come twice.
    if (newDay) rows.push({ kind: 'day', anchorable: false, key: `day of ${added.key}`, time })
    rows.push(added)
    last = { userId, time }
  }

  for (const message of messages) {
    const key = message.clientId ? `${message.userId} ${message.clientId}` : message.id
    add(message.userId, message.createdAt, (continues) => ({
      kind: 'message',
      anchorable: true,
      key,
      message,
      continues,
    }))
  }
  for (const one of pending) {
    // The event may come before the reply to the sender: then the stored row has taken this one's place.
    if (stored.has(one.clientId)) continue
    const key = `${me} ${one.clientId}`
    add(me, one.createdAt, (continues) => ({ kind: 'pending', anchorable: true, key, pending: one, continues }))
  }
  return rows
}
