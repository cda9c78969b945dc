import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { useState } from 'react'
import { showToast } from '../../ui/feedback/toast.tsx'
import { setFollowing, useThreadCursor } from './thread-cursor.ts'

interface Props {
  channelId: string
  threadId: string
}

/** Follows or unfollows a thread. It changes at once, and back if the server refuses. */
export function FollowButton(thread: Props) {
  const client = useQueryClient()
  const isFollowing = useThreadCursor(thread.threadId)?.isFollowing
  const [wanted, setWanted] = useState<boolean>()
  if (wanted !== undefined && wanted === isFollowing) setWanted(undefined)
  const { mutate } = useMutation({
    // Requests are sent in order.
    scope: { id: `follow ${thread.threadId}` },
    mutationFn: (wish: boolean) => setFollowing(client, thread, wish),
    onError: (error, wish) => {
      const text = wish ? 'Failed to follow the thread' : 'Failed to unfollow the thread'
      console.error(`${text}:`, error)
      showToast(`${text}. Try again.`)
      setWanted(undefined)
    },
  })
  if (isFollowing === undefined) return null
  const shown = wanted ?? isFollowing
  const Icon = shown ? BellRing : Bell

  function toggle() {
    setWanted(!shown)
    mutate(!shown)
  }

  return (
    <button
      type="button"
      title={shown ? 'You are notified of new replies. Click to unfollow' : 'Get notified of new replies'}
      onClick={toggle}
      className={`flex h-7 items-center gap-1.5 rounded-s px-2 font-[550] text-meta transition-colors hover:bg-hover active:bg-press pointer-coarse:h-11 ${shown ? 'text-pine' : 'text-soft hover:text-ink'}`}
    >
      <Icon size={14} />
      {shown ? 'Following' : 'Follow'}
    </button>
  )
}
