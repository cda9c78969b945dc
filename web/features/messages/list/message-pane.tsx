import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Channel } from '#contract/channels'
import { useMe } from '../../../me.tsx'
import { useEscape } from '../../../ui/dialog/escape.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { AnchoredList, type AnchoredListHandle, type ListView } from '../../../ui/list/anchored-list.tsx'
import { MessagePlace } from '../actions/conversation-context.tsx'
import { showList } from '../actions/reveal-message.ts'
import { focusBox } from '../outbox/drafts.ts'
import { usePending } from '../outbox/outbox.ts'
import { loadNewer, loadOlder, trimWindow } from '../sync/message-queries.ts'
import type { MessageWindow } from '../sync/message-window.ts'
import { useOpening } from './initial-position.ts'
import { JumpToLatest, JumpToUnread } from './jump-buttons.tsx'
import { useListKeys } from './jump-keys.ts'
import { keyOf, rowsOf } from './list-items.ts'
import { ListRow, rowHeight } from './list-row.tsx'
import { MessageSkeletons } from './message-skeletons.tsx'
import { Arrivals } from './new-message-announcer.tsx'
import { FurtherPages, usePages } from './page-loader.tsx'
import { moveBetweenRows } from './row-navigation.ts'
import { useOwnSent } from './scroll-to-own.ts'
import { useDivider } from './unread-divider.ts'
import { useRowsSeen } from './visible-rows.ts'

interface Props {
  channelId: string
  channel: Channel | undefined
  /** Whether nothing will be known of the channel. */
  isUnknown?: boolean
  /** Called with the number of the last message on screen while somebody looks at it. */
  onSeen: (seq: number) => void
  markUnread: (seq: number) => void
  /** Called when all of it is to be read. */
  onRead: () => void
}

/** Everything said in a channel: opened at what is new, with more of it as the reader scrolls up or down. */
export function MessagePane({ channelId, channel, isUnknown = false, onSeen, markUnread, onRead }: Props) {
  const list = useRef<AnchoredListHandle>(null)
  const [atBottom, setAtBottom] = useState(true)
  const newFrom = useDivider(channel, atBottom)
  const opening = useOpening({ channelId, channel, isUnknown, newFrom, list })
  const { data, error, refetch } = opening

  useEffect(() => {
    if (error) console.error('Failed to load messages:', error)
  }, [error])

  if (error) {
    return (
      <Notice title="Failed to load messages">
        <Button look="line" className="mt-4" onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    )
  }
  if (!data) return <MessageSkeletons />
  return (
    <MessagePlace kind="channel" channel={channel} markUnread={markUnread}>
      <Messages
        {...{ channelId, channel, list, opening, newFrom, atBottom, setAtBottom, onSeen, onRead }}
        messages={data.messages}
        hasOlder={data.hasOlder}
        hasNewer={data.hasNewer}
      />
    </MessagePlace>
  )
}

interface MessagesProps extends Pick<MessageWindow, 'messages' | 'hasOlder' | 'hasNewer'> {
  channelId: string
  channel: Channel | undefined
  list: RefObject<AnchoredListHandle | null>
  opening: ReturnType<typeof useOpening>
  newFrom: number | undefined
  atBottom: boolean
  setAtBottom: (atBottom: boolean) => void
  onSeen: (seq: number) => void
  onRead: () => void
}

function Messages({
  channelId,
  channel,
  list,
  opening,
  newFrom,
  atBottom,
  setAtBottom,
  onSeen,
  onRead,
  ...held
}: MessagesProps) {
  const { messages, hasOlder, hasNewer } = held
  const { start, ringed, isSeeking, noteWhere, toLatest, toFirstUnread } = opening
  const client = useQueryClient()
  const me = useMe().id
  const pending = usePending(channelId)
  const older = usePages(
    useCallback(() => loadOlder(client, channelId), [client, channelId]),
    hasOlder,
  )
  const newer = usePages(
    useCallback(() => loadNewer(client, channelId), [client, channelId]),
    hasNewer,
  )
  // What is on its way stands after the newest message.
  const rows = useMemo(
    () => rowsOf(messages, hasNewer ? [] : pending, me, newFrom),
    [messages, hasNewer, pending, me, newFrom],
  )
  const seen = useRowsSeen(rows, newFrom, onSeen)

  useOwnSent(pending, toLatest)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again whenever there are more
  useEffect(() => {
    if (atBottom) trimWindow(client, channelId)
  }, [atBottom, client, channelId, messages])
  useListKeys({ toLatest, toFirstUnread })
  useEscape('page', () => {
    onRead()
    toLatest()
    // Rows that go out of view are taken away, and the focus must not go with them.
    if (document.activeElement?.closest('main section')) focusBox(channelId)
  })
  useEffect(
    () =>
      showList(channelId, (messageId) => {
        const message = messages.find(({ id }) => id === messageId)
        if (message) list.current?.show({ key: keyOf(message), at: 'nearest' })
      }),
    [channelId, messages, list],
  )

  function noteView(view: ListView) {
    seen.onView(view)
    const place = list.current?.place()
    const row = rows.find(({ key }) => key === place?.key)
    if (!place) noteWhere('end')
    else if (row?.kind === 'message') noteWhere({ id: row.message.id, at: place.at })
  }

  function jump() {
    toLatest()
    // The button goes away, and the focus must not go with it.
    list.current?.focus()
  }

  if (rows.length === 0) return <Notice title="No messages yet">{channel && beginningOf(channel)}</Notice>
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the rows in it
    <div className="relative flex min-h-0 flex-1 flex-col" onKeyDown={moveBetweenRows}>
      <FurtherPages state={isSeeking ? 'loading' : older.state} retry={older.retry} />
      <AnchoredList
        ref={list}
        label="Messages"
        rows={rows}
        estimate={rowHeight}
        start={start}
        isWhole={!hasNewer}
        onNearTop={older.loadMore}
        onNearBottom={newer.loadMore}
        onAtBottomChange={setAtBottom}
        onView={noteView}
        renderRow={(row) => <ListRow row={row} ringed={ringed} />}
      />
      <FurtherPages state={newer.state} retry={newer.retry} at="bottom" />
      {seen.isSkipped && <JumpToUnread onClick={toFirstUnread} />}
      {!atBottom && <JumpToLatest count={channel?.unread} onClick={jump} />}
      <Arrivals messages={messages} me={me} />
    </div>
  )
}

const beginningOf = ({ kind, name }: Channel) =>
  kind === 'direct' ? 'This is the very beginning of your conversation.' : `This is the very beginning of #${name}.`
