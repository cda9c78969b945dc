import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Channel } from '#contract/channels'
import { useMe } from '../../me.tsx'
import { AnchoredList, type AnchoredListHandle } from '../../ui/anchored-list.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Arrivals } from './arrivals.tsx'
import { DayDivider } from './day-divider.tsx'
import { JumpToLatest } from './jump-to-latest.tsx'
import { loadOlder, messagesIn } from './message-queries.ts'
import { MessageRow } from './message-row.tsx'
import { type Row, rowsOf } from './message-rows.ts'
import { MessageSkeletons } from './message-skeletons.tsx'
import { usePending } from './outbox.ts'
import { PendingRow } from './pending-row.tsx'

/** Everything said in a channel: the newest at the bottom, older pages as the reader scrolls up. */
export function MessagePane({ channelId, channel }: { channelId: string; channel: Channel | undefined }) {
  const me = useMe()
  const { data, error, refetch } = useQuery(messagesIn(channelId))
  const pending = usePending(channelId)
  const list = useRef<AnchoredListHandle>(null)
  const [atBottom, setAtBottom] = useState(true)
  const { older, loadMore } = useOlderPages(channelId, data?.hasOlder ?? false)
  const rows = useMemo(() => rowsOf(data?.messages ?? [], pending, me.id), [data?.messages, pending, me.id])

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
  if (rows.length === 0)
    return <Notice title="No messages yet">{channel && `This is the very beginning of #${channel.name}.`}</Notice>
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {older !== 'idle' && <OlderPages state={older} retry={loadMore} />}
      <AnchoredList
        ref={list}
        label="Messages"
        rows={rows}
        estimate={estimate}
        onNearTop={loadMore}
        onAtBottomChange={setAtBottom}
        renderRow={(row) => <RowView row={row} />}
      />
      {!atBottom && <JumpToLatest onClick={jump} />}
      <Arrivals messages={data.messages} me={me.id} />
    </div>
  )
}

function RowView({ row }: { row: Row }) {
  if (row.kind === 'day') return <DayDivider time={row.time} />
  if (row.kind === 'pending') return <PendingRow pending={row.pending} continues={row.continues} />
  return <MessageRow message={row.message} continues={row.continues} />
}

const estimate = (row: Row) => (row.kind === 'day' ? 46 : row.continues ? 28 : 54)

/** Loads older pages one at a time; after a failure only when asked, so that it does not hammer. */
function useOlderPages(channelId: string, hasOlder: boolean) {
  const client = useQueryClient()
  const busy = useRef(false)
  const [older, setOlder] = useState<'idle' | 'loading' | 'failed'>('idle')
  const loadMore = useCallback(async () => {
    if (busy.current || !hasOlder) return
    busy.current = true
    setOlder('loading')
    try {
      await loadOlder(client, channelId)
      busy.current = false
      setOlder('idle')
    } catch (error) {
      console.error('Failed to load messages:', error)
      setOlder('failed')
    }
  }, [client, channelId, hasOlder])
  const retry = useCallback(() => {
    busy.current = false
    void loadMore()
  }, [loadMore])
  return { older, loadMore: older === 'failed' ? retry : loadMore }
}

function OlderPages({ state, retry }: { state: 'loading' | 'failed'; retry: () => void }) {
  return (
    <div className="pointer-events-none absolute inset-x-0 top-2 z-1 flex justify-center">
      <p
        role="status"
        className="pointer-events-auto rounded-full border border-line bg-raised px-3 py-1 text-faint text-meta shadow-float"
      >
        {state === 'loading' ? (
          'Loading more...'
        ) : (
          <>
            Failed to load messages.{' '}
            <button type="button" className="font-[600] text-pine hover:underline" onClick={retry}>
              Try again
            </button>
          </>
        )}
      </p>
    </div>
  )
}
