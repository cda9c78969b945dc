import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router'
import type { Channel } from '#contract/channels'
import { useShortcuts } from '../../browser/shortcuts.ts'
import { messagesIn } from '../../features/messages/sync/message-queries.ts'
import { myThreads } from '../../features/threads/thread-queries.ts'
import { t } from '../../i18n/text.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Lazy } from '../../ui/lazy/lazy.tsx'
import { brokenThread, openThread } from './lazy-parts.ts'

interface Props {
  channelId: string
  channel: Channel | undefined
  /** The conversation. */
  children: ReactNode
}

/** A conversation and, beside it, the thread that the URL opens. */
export function ChannelThread({ children, ...conversation }: Props) {
  const client = useQueryClient()
  const { threadId, isOpening, close } = useOpenThread(conversation.channelId)
  const slides = useSlides(conversation.channelId, threadId)
  return (
    // Clipped, because a panel that slides begins beyond the page.
    <div className={`relative flex min-h-0 flex-1 overflow-x-clip ${slides ? '[&>aside]:animate-slide' : ''}`}>
      {/* On a phone the thread covers it. */}
      <div
        className={`centers-column flex min-w-0 flex-1 flex-col ${threadId ? 'max-wide:invisible print:visible!' : ''}`}
      >
        {children}
      </div>
      {threadId && (
        <ErrorBoundary
          key={threadId}
          fallbackRender={({ resetErrorBoundary }) => (
            // The key tells it from the thread, another lazy-loaded part.
            <Lazy key="broken" load={brokenThread} retry={resetErrorBoundary} onClose={close} />
          )}
          onError={(error) => console.error('Failed to show a thread:', error)}
          // Its cached data may be the cause.
          onReset={() => void client.resetQueries(messagesIn(conversation.channelId, threadId))}
        >
          <Lazy load={openThread} buffersKeys={isOpening} threadId={threadId} onClose={close} {...conversation} />
        </ErrorBoundary>
      )}
    </div>
  )
}

/** Whether the panel slides in: it opens here, instead of showing another thread or one that was open already. */
function useSlides(channelId: string, threadId: string | undefined) {
  const [shown, setShown] = useState({ channelId, threadId, slides: false })
  if (shown.channelId !== channelId || shown.threadId !== threadId) {
    const slides = shown.channelId === channelId && shown.threadId === undefined
    setShown({ channelId, threadId, slides })
  }
  return shown.slides
}

/** The thread in the URL. Closing it goes back if opening it was the last step, and otherwise removes it from the URL. */
function useOpenThread(channelId: string) {
  const [params] = useSearchParams()
  const location = useLocation()
  const type = useNavigationType()
  const navigate = useNavigate()
  const before = useRef(location)
  const openedAt = useRef<string>(undefined)
  useEffect(() => {
    const { pathname, search } = before.current
    const isOpening = pathname === location.pathname && !new URLSearchParams(search).has('thread')
    if (type === 'PUSH' && isOpening) openedAt.current = location.key
    before.current = location
  }, [location, type])

  function close() {
    if (openedAt.current === location.key) return navigate(-1)
    const rest = new URLSearchParams(params)
    rest.delete('thread')
    return navigate({ search: rest.toString() }, { replace: true })
  }

  const threadId = params.get('thread')?.toLowerCase()
  const findLast = useLastThread(channelId, threadId)
  useShortcuts({
    panel: async () => {
      if (threadId) return void close()
      const last = await findLast()
      if (last) void navigate({ search: `?thread=${last}` })
      else showToast(t('threads.noneFollowedHere'))
    },
  })
  return { threadId, isOpening: type === 'PUSH', close: () => void close() }
}

/** Finds the thread that was open here last, or else the latest that I follow in this channel. */
function useLastThread(channelId: string, threadId: string | undefined) {
  const client = useQueryClient()
  const last = useRef<{ channelId: string; threadId: string }>(undefined)
  useEffect(() => {
    if (threadId) last.current = { channelId, threadId }
  }, [channelId, threadId])
  return async () => {
    if (last.current?.channelId === channelId) return last.current.threadId
    try {
      const threads = await client.fetchQuery(myThreads)
      return threads.find(({ parent }) => parent.channelId === channelId)?.threadId
    } catch (error) {
      console.error('Failed to load threads:', error)
      return undefined
    }
  }
}
