import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { focusRegion } from '../../browser/focus-regions.ts'
import { useShortcuts } from '../../browser/shortcuts.ts'
import { useAttention } from '../../browser/tab-title.ts'
import { unreadTotals } from '../../features/channels/cache/unread.ts'
import { useChannelSteps } from '../../features/channels/sidebar/use-channel-steps.ts'
import { isDue, myLater } from '../../features/messages/sync/later-queries.ts'
import { myThreads } from '../../features/threads/thread-queries.ts'
import { paths } from '../../paths.ts'
import { useReadAll } from './use-read-all.ts'

/** Handles the shortcuts that work anywhere, and shows unread messages and due reminders in the tab's title and icon. */
export function GlobalShortcuts() {
  const { data: totals } = useQuery(unreadTotals)
  const { data: threads = [] } = useQuery({ ...myThreads, enabled: false })
  const { data: later = [] } = useQuery({ ...myLater, enabled: false })
  const due = later.filter(isDue).length
  const notifications = threads.reduce((sum, { mentions }) => sum + mentions, (totals?.notifications ?? 0) + due)
  const hasNewReplies = threads.some(({ unread }) => unread > 0)
  useAttention(totals && (notifications || (totals.isUnread || hasNewReplies ? 'unread' : 'none')))

  const step = useChannelSteps()
  const readAll = useReadAll()
  const navigate = useNavigate()
  useShortcuts({
    nextChannel: () => step(1, 'all'),
    previousChannel: () => step(-1, 'all'),
    nextUnread: () => step(1, 'unread'),
    previousUnread: () => step(-1, 'unread'),
    readAll: () => void readAll(),
    later: () => void navigate(paths.later),
    threads: () => void navigate(paths.threads),
    nextRegion: () => focusRegion(1),
    previousRegion: () => focusRegion(-1),
  })
  return null
}
