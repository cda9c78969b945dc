import { Bell, BellRing } from 'lucide-react'
import { t } from '../../i18n/text.ts'
import type { Thread } from './thread-cursor.ts'
import { useFollowing } from './use-following.ts'

/** Follows or unfollows a thread. */
export function FollowButton(thread: Thread) {
  const { isFollowing, toggle } = useFollowing(thread)
  return isFollowing !== undefined && <FollowToggle isFollowing={isFollowing} toggle={toggle} />
}

export function FollowToggle({ isFollowing, toggle }: { isFollowing: boolean; toggle: () => void }) {
  const Icon = isFollowing ? BellRing : Bell
  return (
    <button
      type="button"
      title={isFollowing ? t('threads.unfollowHint') : t('threads.followHint')}
      onClick={toggle}
      className={`flex h-7 items-center gap-1.5 rounded-s px-2 font-[550] text-meta transition-colors hover:bg-hover active:bg-press pointer-coarse:h-11 ${isFollowing ? 'text-pine' : 'text-soft hover:text-ink'}`}
    >
      <Icon size={14} />
      {isFollowing ? t('threads.following') : t('threads.follow')}
    </button>
  )
}
