import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import type { Channel } from '#contract/channels'
import { messagesIn } from '../../features/messages/sync/message-queries.ts'
import { pinsIn } from '../../features/messages/sync/pin-queries.ts'
import { Lazy } from '../../ui/lazy/lazy.tsx'
import { brokenThread, openPins, openThread } from './lazy-parts.ts'
import type { OpenPanel } from './use-open-panel.ts'

interface Props {
  channelId: string
  channel: Channel | undefined
  open: OpenPanel
  /** The conversation. */
  children: ReactNode
}

/** A conversation and, beside it, the thread or the pins that the URL opens. */
export function ChannelThread({ children, open, ...conversation }: Props) {
  const client = useQueryClient()
  const { threadId, key, slides, isOpening, wasOpened, close } = open
  return (
    // Clipped, because a panel that slides begins beyond the page.
    <div className={`relative flex min-h-0 flex-1 overflow-x-clip ${slides ? '[&>aside]:animate-slide' : ''}`}>
      {/* On a phone the panel covers it. */}
      <div className={`centers-column flex min-w-0 flex-1 flex-col ${key ? 'max-wide:invisible print:visible!' : ''}`}>
        {children}
      </div>
      {key && (
        <ErrorBoundary
          key={key}
          fallbackRender={({ resetErrorBoundary }) => (
            // The key tells it from the thread, another lazy-loaded part.
            <Lazy key="broken" load={brokenThread} retry={resetErrorBoundary} onClose={close} />
          )}
          onError={(error) => console.error('Failed to show a panel:', error)}
          // Its cached data may be the cause.
          onReset={() => void client.resetQueries(dataOf(conversation.channelId, threadId))}
        >
          {threadId ? (
            <Lazy load={openThread} buffersKeys={isOpening} threadId={threadId} onClose={close} {...conversation} />
          ) : (
            <Lazy key="pins" load={openPins} takesFocus={wasOpened} onClose={close} {...conversation} />
          )}
        </ErrorBoundary>
      )}
    </div>
  )
}

/** The query whose data the panel shows. */
const dataOf = (channelId: string, threadId: string | undefined) =>
  threadId ? messagesIn(channelId, threadId) : pinsIn(channelId)
