import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Channel } from '#contract/channels'
import { useMe } from '../../me.tsx'
import { AnchoredList, type AnchoredListHandle } from '../../ui/anchored-list.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Arrivals } from './arrivals.tsx'
import { DayDivider } from './day-divider.tsx'
import { JumpToLatest } from './jump-to-latest.tsx'
import { useLinkedMessage } from './linked-message.ts'
import { MessagePlace, type Place } from './message-place.tsx'
import { messagesIn } from './message-queries.ts'
import { MessageRow } from './message-row.tsx'
import { type Row, rowsOf } from './message-rows.ts'
import { MessageSkeletons } from './message-skeletons.tsx'
import { OlderPages, useOlderPages } from './older-pages.tsx'
import { usePending } from './outbox.ts'
import { PendingRow } from './pending-row.tsx'
import { moveBetweenRows } from './row-keys.ts'

interface Props {
  channelId: string
  channel: Channel | undefined
  /** Shows a person's status emoji beside their name. */
  Status?: Place['Status']
}

/** Everything said in a channel: the newest at the bottom, older pages as the reader scrolls up. */
export function MessagePane({ channelId, channel, Status }: Props) {
  const me = useMe()
  const { data, error, refetch } = useQuery(messagesIn(channelId))
  const pending = usePending(channelId)
  const pane = useRef<HTMLDivElement>(null)
  const list = useRef<AnchoredListHandle>(null)
  const [atBottom, setAtBottom] = useState(true)
  const older = useOlderPages(channelId, null, data?.hasOlder ?? false)
  const { ringed, isSeeking } = useLinkedMessage(channelId, data !== undefined, pane)
  const rows = useMemo(() => rowsOf(data?.messages ?? [], pending, me.id), [data?.messages, pending, me.id])

  useEffect(() => {
    if (error) console.error('Failed to load messages:', error)
  }, [error])

  // Whoever sends wants to see it, wherever they were reading.
  const mine = pending.length
  const before = useRef(mine)
  useEffect(() => {
    if (mine > before.current) list.current?.scrollToBottom()
    before.current = mine
  }, [mine])

  function jump() {
    list.current?.scrollToBottom()
    // The button goes away, and the focus must not go with it.
    list.current?.focus()
  }

  if (!data && error) {
    return (
      <Notice title="Failed to load messages">
        <Button look="line" className="mt-4" onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    )
  }
  if (!data) return <MessageSkeletons />
  if (rows.length === 0) return <Notice title="No messages yet">{channel && beginningOf(channel)}</Notice>
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the rows in it
    <div ref={pane} className="relative flex min-h-0 flex-1 flex-col" onKeyDown={moveBetweenRows}>
      <OlderPages state={isSeeking ? 'loading' : older.state} retry={older.retry} />
      <MessagePlace kind="channel" channel={channel} Status={Status}>
        <AnchoredList
          ref={list}
          label="Messages"
          rows={rows}
          estimate={estimate}
          onNearTop={older.loadMore}
          onAtBottomChange={setAtBottom}
          renderRow={(row) => <RowView row={row} ringed={ringed} />}
        />
      </MessagePlace>
      {!atBottom && <JumpToLatest onClick={jump} />}
      <Arrivals messages={data.messages} me={me.id} />
    </div>
  )
}

const beginningOf = ({ kind, name }: Channel) =>
  kind === 'direct' ? 'This is the very beginning of your conversation.' : `This is the very beginning of #${name}.`

function RowView({ row, ringed }: { row: Row; ringed: string | undefined }) {
  if (row.kind === 'day') return <DayDivider time={row.time} />
  if (row.kind === 'pending') return <PendingRow pending={row.pending} continues={row.continues} />
  const { message, continues } = row
  return <MessageRow message={message} continues={continues} isRinged={message.id === ringed} />
}

/** Heights as they come out for one line of text. */
function estimate(row: Row) {
  if (row.kind === 'day') return 46
  const height = row.continues ? 28 : 54
  if (row.kind === 'pending') return height
  const { reactionCounts, replyCount } = row.message
  return height + (Object.keys(reactionCounts).length > 0 ? 30 : 0) + (replyCount > 0 ? 35 : 0)
}
