import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { can } from '#contract/can'
import type { Channel, ReadCursor } from '#contract/channels'
import { isRefusal } from '../../../api-client/api.ts'
import { t } from '../../../i18n/text.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { ConversationProvider } from '../actions/conversation-context.tsx'
import { DropToAttach } from '../composer/drop-to-attach.tsx'
import { usePending } from '../outbox/outbox.ts'
import { MessageRow } from '../row/message-row.tsx'
import { PendingRow } from '../row/pending-row.tsx'
import { messagesIn } from '../sync/message-queries.ts'
import { ThreadMessages } from './thread-messages.tsx'

interface Props {
  channelId: string
  channel: Channel | undefined
  threadId: string
  /** The conversation's name, such as '#launch'; undefined while the channel loads. */
  of: string | undefined
  onClose: () => void
  /** Mine, if I follow the thread. */
  cursor: ReadCursor | undefined
  /** Called with the `seq` of the newest reply when it is on screen and the page has the focus. */
  onSeen: (seq: number) => void
  /** Shown in the header. */
  action: ReactNode
  /** The composer, or what replaces it. */
  composer: ReactNode
}

/** The thread of one message, beside the conversation. */
export function ThreadPanel({ channelId, channel, threadId, of, cursor, onClose, onSeen, action, composer }: Props) {
  const { data: thread, error, refetch } = useQuery(messagesIn(channelId, threadId))
  const isMissing = !thread && isRefusal(error)
  useEffect(() => {
    if (error) console.error('Unable to load thread:', error)
  }, [error])
  return (
    <SidePanel
      title={t('messages.thread.title')}
      of={of}
      closeName={t('messages.thread.close')}
      onClose={onClose}
      action={!isMissing && action}
    >
      <DropToAttach to={channel && can.writeIn(channel) ? { channelId, threadId } : undefined}>
        {thread?.parent && (
          <ThreadMessages channel={channel} parent={thread.parent} thread={thread} cursor={cursor} onSeen={onSeen} />
        )}
        {isMissing && <Notice title={t('messages.thread.notFound')} />}
        {!thread && !isMissing && (
          <ConversationProvider kind="thread" channel={channel}>
            <ParentOnly
              channelId={channelId}
              threadId={threadId}
              isFailed={error !== null}
              retry={() => void refetch()}
            />
          </ConversationProvider>
        )}
        {!isMissing && composer}
      </DropToAttach>
    </SidePanel>
  )
}

interface ParentOnlyProps {
  channelId: string
  threadId: string
  isFailed: boolean
  retry: () => void
}

/** Shown while a thread loads or if that failed: its parent, if the channel's window has it, and my pending replies. */
function ParentOnly({ channelId, threadId, isFailed, retry }: ParentOnlyProps) {
  const { data: parent } = useQuery({
    ...messagesIn(channelId),
    enabled: false,
    select: ({ messages }) => messages.find(({ id }) => id === threadId),
  })
  const pending = usePending(threadId)

  // An event has changed the parent, so loading the thread may succeed now.
  const rev = parent?.rev
  const tryAgain = useEffectEvent(() => {
    if (isFailed) retry()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time the parent changes
  useEffect(() => tryAgain(), [rev])

  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto pt-2">
      {parent && <MessageRow message={parent} isGrouped={false} />}
      {isFailed ? (
        <Notice title={t('messages.thread.failed')}>
          <button type="button" className="font-[600] text-pine hover:underline pointer-coarse:p-3" onClick={retry}>
            {t('ui.tryAgain')}
          </button>
        </Notice>
      ) : (
        // At the bottom, where it does not move when the parent appears.
        <p
          role="status"
          className="mt-auto grid animate-appear p-6 text-center text-soft text-ui [animation-delay:200ms] [animation-fill-mode:backwards]"
        >
          {t('messages.thread.loading')}
          <span className="mt-1 text-faint text-meta">{t('messages.thread.loadingHint')}</span>
        </p>
      )}
      {pending.map((message) => (
        <PendingRow key={message.clientId} pending={message} isGrouped={false} />
      ))}
    </div>
  )
}
