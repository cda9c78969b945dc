import { useEffect, useMemo, useRef, useState } from 'react'
import type { Channel } from '#contract/channels'
import type { Message } from '#contract/messages'
import { useMe } from '../../me.tsx'
import { AnchoredList, type AnchoredListHandle } from '../../ui/anchored-list.tsx'
import { Arrivals } from './arrivals.tsx'
import { DayDivider } from './day-divider.tsx'
import { focusBox } from './drafts.ts'
import { JumpToLatest } from './jump-to-latest.tsx'
import { MessagePlace, type Place } from './message-place.tsx'
import { MessageRow } from './message-row.tsx'
import { OlderPages, useOlderPages } from './older-pages.tsx'
import { usePending } from './outbox.ts'
import { PendingRow } from './pending-row.tsx'
import { moveBetweenRows } from './row-keys.ts'
import { type ThreadRow, threadRows } from './thread-rows.ts'
import { useSeen } from './thread-seen.ts'
import type { MessageWindow } from './window.ts'

interface Props {
  channel: Channel | undefined
  parent: Message
  thread: MessageWindow
  /** Shows a person's status emoji beside their name. */
  Status?: Place['Status']
  /** Called with the newest reply's number when it is on screen and somebody looks at it. */
  onSeen: (seq: number) => void
}

/** A thread: its parent first, the newest reply at the end, older ones as the reader scrolls up. */
export function ThreadMessages({ channel, parent, thread, Status, onSeen }: Props) {
  const { channelId, id: threadId } = parent
  const { messages, hasOlder } = thread
  const me = useMe().id
  const pending = usePending(threadId)
  const list = useRef<AnchoredListHandle>(null)
  const [atEnd, setAtEnd] = useState(true)
  const older = useOlderPages(channelId, threadId, hasOlder)
  const rows = useMemo(
    () => threadRows({ parent, messages, hasOlder }, pending, me),
    [parent, messages, hasOlder, pending, me],
  )
  useSeen(messages.at(-1)?.seq, atEnd, onSeen)

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

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the rows in it
    <div className="relative flex min-h-0 flex-1 flex-col" onKeyDown={moveBetweenRows}>
      <OlderPages state={older.state} retry={older.retry} />
      {/* To reply to a reply is to go on in its thread. */}
      <MessagePlace kind="thread" channel={channel} openThread={focusBox} Status={Status}>
        <AnchoredList
          ref={list}
          label="Replies"
          fewAt="top"
          rows={rows}
          estimate={estimate}
          onNearTop={older.loadMore}
          onAtBottomChange={setAtEnd}
          renderRow={(row) => <RowView row={row} />}
        />
      </MessagePlace>
      {!atEnd && <JumpToLatest onClick={jump} />}
      <Arrivals messages={messages} me={me} />
    </div>
  )
}

function RowView({ row }: { row: ThreadRow }) {
  if (row.kind === 'day') return <DayDivider time={row.time} />
  if (row.kind === 'replies') return <ReplyCount count={row.count} />
  if (row.kind === 'pending') return <PendingRow pending={row.pending} continues={row.continues} />
  const { message, continues } = row
  return (
    <div className={message.threadId === null ? 'pt-2' : ''}>
      <MessageRow message={message} continues={continues} />
    </div>
  )
}

function ReplyCount({ count }: { count: number }) {
  return (
    <p className="flex items-center gap-3 px-(--gutter) py-2 text-faint text-meta tabular-nums">
      {count} {count === 1 ? 'reply' : 'replies'}
      <span className="h-px flex-1 bg-line" />
    </p>
  )
}

/** Heights as they come out for one line of text. */
function estimate(row: ThreadRow) {
  if (row.kind === 'day') return 46
  if (row.kind === 'replies') return 34
  return row.continues ? 28 : 54
}
