import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Channel } from '#contract/channels'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { useEscape } from '../../../ui/dialog/escape.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { AnchoredList, type AnchoredListHandle, type ListView } from '../../../ui/list/anchored-list.tsx'
import { ConversationProvider } from '../actions/conversation-context.tsx'
import { focusComposer } from '../outbox/open-conversations.ts'
import type { MessageWindow } from '../sync/message-window.ts'
import { useChannelRows } from './channel-rows.ts'
import { LineDivider } from './dividers.tsx'
import { useInitialPosition } from './initial-position.ts'
import { useJumpKeys } from './jump-keys.ts'
import { jumpButton, waitingLine } from './lazy-parts.ts'
import { ListRow, rowHeight } from './list-row.tsx'
import { MessageSkeletons } from './message-skeletons.tsx'
import { NewMessageAnnouncer } from './new-message-announcer.tsx'
import { PageLoader } from './page-loader.tsx'
import { useRevealMessage } from './reveal-message.ts'
import { moveBetweenRows } from './row-navigation.ts'
import { useScrollToOwn } from './scroll-to-own.ts'
import { isCounted, useUnreadDivider } from './unread-divider.ts'
import { useVisibleRows } from './visible-rows.ts'
import { useTrimming, useWindowPages } from './window-pages.ts'

interface Props {
  channelId: string
  channel: Channel | undefined
  /** Whether loading the channel has failed for good. */
  isUnknown?: boolean
  /** Shown above the first message. */
  beginning: ReactNode
  /** Called with the `seq` of the last message on screen while the page has the focus. */
  onSeen: (seq: number) => void
  markUnread: (seq: number) => void
  /** Marks the whole channel as read. */
  onRead: () => void
}

/** The messages of a channel. Loads more as the user scrolls up or down. */
export function MessagePane({ channelId, channel, isUnknown = false, beginning, ...props }: Props) {
  const { onSeen, markUnread, onRead } = props
  const list = useRef<AnchoredListHandle>(null)
  const [atBottom, setAtBottom] = useState(true)
  const newFrom = useUnreadDivider(channel && isCounted(channel) ? channel : undefined, atBottom)
  const position = useInitialPosition({ channelId, channel, isUnknown, newFrom, list })
  const { data, error, refetch } = position

  useEffect(() => {
    if (error) console.error('Failed to load messages:', error)
  }, [error])

  if (error) {
    return (
      <Notice title={t('messages.failed.load')}>
        <Button variant="line" className="mt-4" onClick={() => void refetch()}>
          {t('ui.tryAgain')}
        </Button>
      </Notice>
    )
  }
  if (!data) return <MessageSkeletons />
  return (
    <ConversationProvider kind="channel" channel={channel} markUnread={markUnread}>
      <Messages
        channelId={channelId}
        channel={channel}
        beginning={beginning}
        window={data}
        list={list}
        position={position}
        newFrom={newFrom}
        atBottom={atBottom}
        setAtBottom={setAtBottom}
        onSeen={onSeen}
        onRead={onRead}
      />
    </ConversationProvider>
  )
}

interface MessagesProps extends Pick<Props, 'channelId' | 'channel' | 'beginning' | 'onSeen' | 'onRead'> {
  window: MessageWindow
  list: RefObject<AnchoredListHandle | null>
  position: ReturnType<typeof useInitialPosition>
  newFrom: number | undefined
  atBottom: boolean
  setAtBottom: (atBottom: boolean) => void
}

function Messages(props: MessagesProps) {
  const { channelId, channel, beginning, list, newFrom, atBottom, setAtBottom, onSeen, onRead } = props
  const { messages, hasNewer } = props.window
  const { start, highlighted, isSeeking, trackPosition, toLatest, toFirstUnread } = props.position
  const me = useMe().id
  const { older, newer } = useWindowPages(channelId, props.window)
  const { rows, waiting } = useChannelRows(channelId, props.window, newFrom)
  const isPendingElsewhere = hasNewer && waiting.pending.length > 0
  const seen = useVisibleRows(rows, newFrom, onSeen)

  useScrollToOwn(waiting.pending, toLatest)
  useTrimming(channelId, messages, atBottom)
  useJumpKeys({ toLatest, toFirstUnread })
  useEscape('page', () => {
    onRead()
    toLatest()
    // Rows scrolled out of view are removed, so move the focus first.
    if (document.activeElement?.closest('main section')) focusComposer(channelId)
  })
  useRevealMessage(channelId, messages, list)

  function handleView(view: ListView) {
    seen.onView(view)
    const position = list.current?.position()
    const row = rows.find(({ key }) => key === position?.key)
    if (!position) trackPosition('end')
    else if (row?.kind === 'message') trackPosition({ id: row.message.id, at: position.at })
  }

  function jump() {
    toLatest()
    // The button disappears, so move the focus first.
    list.current?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its rows
    <div className="relative flex min-h-0 flex-1 flex-col" onKeyDown={moveBetweenRows}>
      <PageLoader state={isSeeking ? 'loading' : older.state} retry={older.retry} />
      <AnchoredList
        ref={list}
        label={t('messages.list.label')}
        rows={rows}
        estimate={rowHeight}
        start={start}
        isWhole={!hasNewer}
        onNearTop={older.loadMore}
        onNearBottom={newer.loadMore}
        onAtBottomChange={setAtBottom}
        onView={handleView}
        renderRow={(row) =>
          row.kind === 'beginning' ? (
            <>
              {beginning}
              {rows.length === 1 && <LineDivider>{t('messages.list.empty')}</LineDivider>}
            </>
          ) : (
            <ListRow row={row} highlighted={highlighted} />
          )
        }
      />
      {/* Hidden with pending messages: it would cover them, and the gap before them says the same. */}
      <div className={waiting.isShown ? 'hidden' : 'contents'}>
        <PageLoader state={newer.state} retry={newer.retry} at="bottom" />
      </div>
      {seen.isSkipped && <Lazy load={jumpButton} isOptional to="unread" onClick={toFirstUnread} />}
      {!atBottom && !isPendingElsewhere && (
        <Lazy load={jumpButton} isOptional to="latest" count={channel?.unread} onClick={jump} />
      )}
      {(isPendingElsewhere || waiting.isShown) && (
        <Lazy load={waitingLine} isOptional {...waiting} hasNewer={hasNewer} list={list} toLatest={toLatest} />
      )}
      <NewMessageAnnouncer messages={messages} me={me} />
    </div>
  )
}
