import { PenLine } from 'lucide-react'
import { NavLink } from 'react-router'
import { t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { Lazy } from '../../ui/lazy/lazy.tsx'
import { draftsCount } from './lazy-parts.ts'

/** The link to my drafts. Always there, so that the rows below never move. */
export function DraftsLink({ isPageIdle }: { isPageIdle: boolean }) {
  return (
    <NavLink
      to={paths.drafts}
      className={({ isActive }) =>
        `mx-2 mt-0.5 flex h-(--row) flex-none items-center gap-2 rounded-s px-2 focus-visible:-outline-offset-2 ${isActive ? 'bg-selected font-[600] text-ink' : 'text-soft hover:bg-hover'}`
      }
    >
      <PenLine size={16} />
      <span className="flex-1">{t('drafts.title')}</span>
      {isPageIdle && <Lazy load={draftsCount} isOptional />}
    </NavLink>
  )
}
