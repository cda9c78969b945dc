import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../i18n/text.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { setFollowing, type Thread, useThreadCursor } from './thread-cursor.ts'

/**
 * Whether I follow a thread, undefined until it is known, and a function that changes it. Optimistic: it changes at once,
 * and is reverted after a failure.
 */
export function useFollowing(thread: Thread) {
  const client = useQueryClient()
  const isFollowing = useThreadCursor(thread.threadId)?.isFollowing
  const [optimistic, setOptimistic] = useState<boolean>()
  if (optimistic !== undefined && optimistic === isFollowing) setOptimistic(undefined)
  const { mutate } = useMutation({
    // Requests are sent in order.
    scope: { id: `follow ${thread.threadId}` },
    mutationFn: (follow: boolean) => setFollowing(client, thread, follow),
    onError: (error, follow) => {
      console.error(`Failed to ${follow ? 'follow' : 'unfollow'} the thread:`, error)
      showToast(follow ? t('threads.followFailed') : t('threads.unfollowFailed'))
      setOptimistic(undefined)
    },
  })
  const isShownFollowing = optimistic ?? isFollowing

  function toggle() {
    setOptimistic(!isShownFollowing)
    mutate(!isShownFollowing)
  }

  return { isFollowing: isShownFollowing, toggle }
}
