import { PenLine } from 'lucide-react'
import { NavLink } from 'react-router'
import { useUnsent } from '../../features/messages/outbox/draft-list.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'

/** The link to my drafts, if there are any that are not on screen. Lazy-loaded. */
export default function DraftsLink() {
  const count = useUnsent().filter(({ isShown }) => !isShown).length
  if (count === 0) return null
  return (
    <NavLink
      to={paths.drafts}
      className={({ isActive }) =>
        `mx-2 mt-0.5 flex h-(--row) flex-none items-center gap-2 rounded-s px-2 focus-visible:-outline-offset-2 ${isActive ? 'bg-selected font-[600] text-ink' : 'text-soft hover:bg-hover'}`
      }
    >
      <PenLine size={16} />
      <span className="flex-1">{t('drafts.title')}</span>
      <span className="text-faint text-meta tabular-nums">{formatNumber(count)}</span>
    </NavLink>
  )
}
