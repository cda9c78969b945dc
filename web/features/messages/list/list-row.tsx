import { ASSISTANT } from '#contract/ids'
import { MessageRow } from '../row/message-row.tsx'
import { PendingRow } from '../row/pending-row.tsx'
import { DayDivider, NewDivider } from './dividers.tsx'
import type { Row } from './list-items.ts'

interface Props {
  row: Row
  /** The message that a link led to. */
  ringed?: string | undefined
}

/** One row of a conversation. */
export function ListRow({ row, ringed }: Props) {
  if (row.kind === 'day') return <DayDivider time={row.time} />
  if (row.kind === 'new') return <NewDivider time={row.time} />
  if (row.kind === 'pending') return <PendingRow pending={row.pending} continues={row.continues} />
  return <MessageRow message={row.message} continues={row.continues} isRinged={row.message.id === ringed} />
}

/** Its height as it comes out for one line of text. */
export function rowHeight(row: Row) {
  if (row.kind === 'day') return 46
  if (row.kind === 'new') return 37
  const height = row.continues ? 28 : 54
  if (row.kind === 'pending') return height
  const { userId, reactionCounts, replyCount } = row.message
  const chips = (userId === ASSISTANT ? 1 : 0) + (Object.keys(reactionCounts).length > 0 ? 1 : 0)
  return height + 30 * chips + (replyCount > 0 ? 35 : 0)
}
