import { useQuery } from '@tanstack/react-query'
import { CheckCheck } from 'lucide-react'
import { writtenKeys } from '../../keys.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { unreadTotals } from './unread.ts'
import { useReadAll } from './use-read-all.ts'

/** Marks everything read; there only while something is unread. */
export function ReadAllButton() {
  const { data: totals } = useQuery(unreadTotals)
  const readAll = useReadAll()
  if (!totals?.isUnread) return null
  return (
    <IconButton
      name={'Mark everything as read'}
      title={`Mark everything as read (${writtenKeys('readAll')})`}
      aria-keyshortcuts="Shift+Escape"
      className="animate-appear"
      onClick={({ currentTarget }) => {
        // The button goes away with its reason; the focus stays in the sidebar.
        currentTarget.closest('aside')?.focus()
        void readAll()
      }}
    >
      <CheckCheck size={16} />
    </IconButton>
  )
}
