import { useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { NavLink } from 'react-router'
import { shortcutLabel } from '../../browser/shortcuts.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { useIsLive } from '../../socket/first-connection.ts'
import { CountBadge } from '../../ui/count-badge.tsx'
import { myThreads } from './thread-queries.ts'

/** The link to my threads, with the number of those that have new replies. */
export function ThreadsLink() {
  const { data: threads = [] } = useQuery({ ...myThreads, enabled: useIsLive() })
  const count = threads.filter(({ unread }) => unread > 0).length
  const label = t('threads.newRepliesCount', { count })
  const hasMentions = threads.some(({ mentions }) => mentions > 0)
  return (
    <NavLink
      to={paths.threads}
      data-tip=""
      data-keys={shortcutLabel('threads')}
      className={({ isActive }) =>
        `mx-2 mt-2 flex h-(--row) flex-none items-center gap-2 rounded-s px-2 focus-visible:-outline-offset-2 ${isActive ? 'bg-selected font-[600] text-ink' : `hover:bg-hover ${count > 0 ? 'font-[600] text-ink' : 'text-soft'}`}`
      }
    >
      <MessagesSquare size={16} />
      <span className="flex-1">{t('threads.title')}</span>
      {hasMentions ? (
        <CountBadge count={count} label={label} />
      ) : (
        count > 0 && (
          <span className="text-faint text-meta tabular-nums">
            <span aria-hidden="true">{formatNumber(count)}</span>
            <span className="sr-only">{label}</span>
          </span>
        )
      )}
    </NavLink>
  )
}
