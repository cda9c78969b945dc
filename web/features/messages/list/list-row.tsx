import { useState } from 'react'
import { ASSISTANT } from '#contract/ids'
import { hasJustArrived } from '../../../ui/arrivals.ts'
import { useConversation } from '../actions/conversation-context.tsx'
import { MessageRow } from '../row/message-row.tsx'
import { PendingRow } from '../row/pending-row.tsx'
import { RowBoundary } from '../row/row-boundary.tsx'
import { DayDivider, Gap, NewDivider } from './dividers.tsx'
import type { ChannelItem, ListItem } from './list-items.ts'

interface Props {
  row: ListItem
  /** The id of the message that a link led to. */
  highlighted?: string | undefined
}

export function ListRow({ row, highlighted }: Props) {
  const { since } = useConversation()
  const [rises] = useState(() => hasJustArrived(arrivalKey(row), since))
  if (row.kind === 'day') return <DayDivider time={row.time} />
  if (row.kind === 'new') return <NewDivider time={row.time} />
  if (row.kind === 'gap') return <Gap />
  // The same element before and after the message is stored, so that it rises once and to the end.
  return (
    <div className={rises ? 'animate-rise' : ''}>
      {row.kind === 'pending' ? (
        <RowBoundary message={row.pending}>
          <PendingRow pending={row.pending} isGrouped={row.isGrouped} />
        </RowBoundary>
      ) : (
        <MessageRow message={row.message} isGrouped={row.isGrouped} isHighlighted={row.message.id === highlighted} />
      )}
    </div>
  )
}

function arrivalKey(row: ListItem) {
  if (row.kind === 'message') return row.message.id
  return row.kind === 'pending' ? row.pending.clientId : ''
}

/** The height of a beginning with one line of text. */
export const BEGINNING_HEIGHT_PX = 190

/** Estimated height in pixels, for one line of text. */
export function rowHeight(row: ChannelItem) {
  if (row.kind === 'beginning') return BEGINNING_HEIGHT_PX
  if (row.kind === 'day' || row.kind === 'gap') return 46
  if (row.kind === 'new') return 37
  const height = row.isGrouped ? 28 : 54
  if (row.kind === 'pending') return height
  const { userId, reactionCounts, replyCount } = row.message
  const chips = (userId === ASSISTANT ? 1 : 0) + (Object.keys(reactionCounts).length > 0 ? 1 : 0)
  return height + 30 * chips + (replyCount > 0 ? 35 : 0)
}
