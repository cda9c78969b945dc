import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { loadOlder } from './message-queries.ts'

type State = 'idle' | 'loading' | 'failed'

/** Loads older pages one at a time; after a failure only when asked, so that it does not hammer. */
export function useOlderPages(channelId: string, threadId: string | null, hasOlder: boolean) {
  const client = useQueryClient()
  const busy = useRef(false)
  const [state, setState] = useState<State>('idle')
  const loadMore = useCallback(async () => {
    if (busy.current || !hasOlder) return
    busy.current = true
    setState('loading')
    try {
      await loadOlder(client, channelId, threadId)
      busy.current = false
      setState('idle')
    } catch (error) {
      console.error('Failed to load messages:', error)
      setState('failed')
    }
  }, [client, channelId, threadId, hasOlder])
  const retry = useCallback(() => {
    busy.current = false
    void loadMore()
  }, [loadMore])
  return { state, loadMore, retry }
}

/** Floats at the top of a list while what comes before it is on its way. */
export function OlderPages({ state, retry }: { state: State; retry: () => void }) {
  if (state === 'idle') return null
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
