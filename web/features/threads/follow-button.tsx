import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../i18n/text.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { setFollowing, useThreadCursor } from './thread-cursor.ts'

interface Props {
  channelId: string
  threadId: string
}

/** Follows or unfollows a thread. Optimistic: it changes at once, and is reverted after a failure. */
export function FollowButton(thread: Props) {
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
  if (isFollowing === undefined) return null
  const isShownFollowing = optimistic ?? isFollowing
  const Icon = isShownFollowing ? BellRing : Bell

  function toggle() {
    setOptimistic(!isShownFollowing)
    mutate(!isShownFollowing)
  }

  return (
    <button
      type="button"
      title={isShownFollowing ? t('threads.unfollowHint') : t('threads.followHint')}
      onClick={toggle}
      className={`flex h-7 items-center gap-1.5 rounded-s px-2 font-[550] text-meta transition-colors hover:bg-hover active:bg-press pointer-coarse:h-11 ${isShownFollowing ? 'text-pine' : 'text-soft hover:text-ink'}`}
    >
      <Icon size={14} />
      {isShownFollowing ? t('threads.following') : t('threads.follow')}
    </button>
  )
}
