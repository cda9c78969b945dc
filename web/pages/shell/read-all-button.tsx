import { useQuery } from '@tanstack/react-query'
import { CheckCheck } from 'lucide-react'
import { shortcutLabel } from '../../browser/shortcuts.ts'
import { unreadTotals } from '../../features/channels/cache/unread.ts'
import { myThreads } from '../../features/threads/thread-list.ts'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { useReadAll } from './use-read-all.ts'

/** Marks everything as read. Shown only while something is unread. */
export function ReadAllButton() {
  const { data: totals } = useQuery(unreadTotals)
  const { data: threads = [] } = useQuery({ ...myThreads, enabled: false })
  const readAll = useReadAll()
  if (!totals?.isUnread && !threads.some(({ unread }) => unread > 0)) return null
  return (
    <IconButton
      name="Mark everything as read"
      keys={shortcutLabel('readAll')}
      aria-keyshortcuts="Shift+Escape"
      className="animate-appear"
      onClick={({ currentTarget }) => {
        // The button disappears; the focus stays in the sidebar.
        currentTarget.closest('aside')?.focus()
        void readAll()
      }}
    >
      <CheckCheck size={16} />
    </IconButton>
  )
}
