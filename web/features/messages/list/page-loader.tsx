import { useCallback, useRef, useState } from 'react'
import { rich, t } from '../../../i18n/text.ts'
import { useRetry } from '../../../ui/feedback/use-retry.ts'

type State = 'idle' | 'loading' | 'failed'

/** Loads further pages one at a time. After a failure it retries at growing delays, or when the user asks. */
export function usePages(load: () => Promise<void>, hasMore: boolean) {
  const busy = useRef(false)
  const [state, setState] = useState<State>('idle')
  const loadMore = useCallback(async () => {
    if (busy.current || !hasMore) return
    busy.current = true
    setState('loading')
    try {
      await load()
      busy.current = false
      setState('idle')
    } catch (error) {
      console.error('Failed to load messages:', error)
      setState('failed')
    }
  }, [load, hasMore])
  const retry = useCallback(() => {
    busy.current = false
    void loadMore()
  }, [loadMore])
  return { state: hasMore ? state : 'idle', loadMore, retry } as const
}

interface Props {
  state: State
  retry: () => void
  at?: 'top' | 'bottom'
}

/** Floats at an end of a list while a page loads. It appears after a delay, so that fast loads do not flash. */
export function PageLoader({ state, retry, at = 'top' }: Props) {
  useRetry(retry, state)
  if (state === 'idle') return null
  return (
    <div
      className={`pointer-events-none absolute inset-x-0 z-1 flex conversation-column animate-appear justify-center [animation-delay:300ms] [animation-fill-mode:backwards] ${at === 'top' ? 'top-2' : 'bottom-12'}`}
    >
      <p
        role="status"
        className="pointer-events-auto rounded-full border border-line bg-raised px-3 py-1 text-faint text-meta shadow-float"
      >
        {state === 'loading'
          ? t('messages.list.loadingMore')
          : rich('messages.list.moreFailed', {
              retry: (words) => (
                <button type="button" className="font-[600] text-pine hover:underline" onClick={retry}>
                  {words}
                </button>
              ),
            })}
      </p>
    </div>
  )
}
