import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Channel, ReadCursor } from '#contract/channels'
import type { Message } from '#contract/messages'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { AnchoredList, type AnchoredListHandle } from '../../../ui/list/anchored-list.tsx'
import type { ScrollTarget } from '../../../ui/list/list-anchor.ts'
import { ConversationProvider } from '../actions/conversation-context.tsx'
import { jumpButton } from '../list/lazy-parts.ts'
import { rowKey, UNREAD_DIVIDER_KEY } from '../list/list-items.ts'
import { ListRow, rowHeight } from '../list/list-row.tsx'
import { NewMessageAnnouncer } from '../list/new-message-announcer.tsx'
import { PageLoader, usePages } from '../list/page-loader.tsx'
import { moveBetweenRows } from '../list/row-navigation.ts'
import { useScrollToOwn } from '../list/scroll-to-own.ts'
import { useUnreadDivider } from '../list/unread-divider.ts'
import { useReadToEnd } from '../list/window-focus.ts'
import { focusComposer, registerConversation } from '../outbox/open-conversations.ts'
import { usePending } from '../outbox/outbox.ts'
import { loadOlder } from '../sync/message-queries.ts'
import type { MessageWindow } from '../sync/message-window.ts'
import { useLinkedReply } from './linked-reply.ts'
import { ParentLine } from './parent-line.tsx'
import { type ThreadItem, threadItems } from './thread-items.ts'

interface Props {
  channel: Channel | undefined
  parent: Message
  thread: MessageWindow
  /** Mine, if I follow it. */
  cursor: ReadCursor | undefined
  /** Called with the `seq` of the newest reply when it is on screen and the page has the focus. */
  onSeen: (seq: number) => void
}

/** A thread: its parent first, the newest reply at the end. Loads older replies as the user scrolls up. */
export function ThreadMessages({ channel, parent, thread, cursor, onSeen }: Props) {
  const { channelId, id: threadId } = parent
  const { messages, hasOlder } = thread
  const me = useMe().id
  const pending = usePending(threadId)
  const list = useRef<AnchoredListHandle>(null)
  const [atEnd, setAtEnd] = useState(true)
  const [isParentAbove, setParentAbove] = useState(false)
  const client = useQueryClient()
  const older = usePages(
    useCallback(() => loadOlder(client, channelId, threadId), [client, channelId, threadId]),
    hasOlder,
  )
  const newFrom = useUnreadDivider(cursor, atEnd)
  const rows = useMemo(
    () => threadItems({ parent, messages, hasOlder }, pending, me, newFrom),
    [parent, messages, hasOlder, pending, me, newFrom],
  )
  const hasNew = rows.some(({ kind }) => kind === 'new')
  useReadToEnd(messages.at(-1)?.seq, atEnd, onSeen)
  const highlighted = useLinkedReply(parent, list)

  useScrollToOwn(pending, () => list.current?.scrollToBottom())
  useEffect(
    () =>
      registerConversation(threadId, {
        revealMessage: (messageId) => {
          const message = [parent, ...messages].find(({ id }) => id === messageId)
          if (message) list.current?.show({ key: rowKey(message), at: 'nearest' })
        },
      }),
    [threadId, parent, messages],
  )

  function showParent() {
    list.current?.show({ key: rowKey(parent), at: 'start' })
    // The line disappears, so move the focus first.
    list.current?.focus()
  }

  function jump() {
    list.current?.scrollToBottom()
    // The button disappears, so move the focus first.
    list.current?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its rows
    <div className="relative flex min-h-0 flex-1 flex-col" onKeyDown={moveBetweenRows}>
      <PageLoader state={older.state} retry={older.retry} />
      {/* 'Reply' on a reply focuses the thread's composer. */}
      <ConversationProvider kind="thread" channel={channel} openThread={focusComposer}>
        <AnchoredList
          ref={list}
          label={t('messages.thread.replies')}
          fewAt="top"
          start={hasNew ? FIRST_UNREAD : undefined}
          rows={rows}
          estimate={estimate}
          onNearTop={older.loadMore}
          onAtBottomChange={setAtEnd}
          onView={({ first }) => setParentAbove(first > rows.findIndex(isParent))}
          renderRow={(row) => <RowView row={row} highlighted={highlighted} />}
        />
      </ConversationProvider>
      {isParentAbove && <ParentLine parent={parent} onClick={showParent} />}
      {!atEnd && <Lazy load={jumpButton} isOptional to="latest" onClick={jump} />}
      <NewMessageAnnouncer messages={messages} me={me} />
    </div>
  )
}

/** As in a channel, a little below the top. */
const FIRST_UNREAD: ScrollTarget = { key: UNREAD_DIVIDER_KEY, at: 'start' }

function RowView({ row, highlighted }: { row: ThreadItem; highlighted: string | undefined }) {
  if (row.kind === 'replies') return <ReplyCount count={row.count} />
  return (
    <div className={isParent(row) ? 'pt-2' : ''}>
      <ListRow row={row} highlighted={highlighted} />
    </div>
  )
}

const isParent = (row: ThreadItem) => row.kind === 'message' && row.message.threadId === null

function ReplyCount({ count }: { count: number }) {
  return (
    <p className="flex max-w-(--column) items-center gap-3 px-(--gutter) py-2 text-faint text-meta tabular-nums">
      {t('messages.thread.count', { count })}
      <span className="h-px flex-1 bg-line" />
    </p>
  )
}

const estimate = (row: ThreadItem) => (row.kind === 'replies' ? 34 : rowHeight(row))
