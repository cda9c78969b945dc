import { ChevronRight } from 'lucide-react'
import { Link, Navigate, NavLink, useLocation, useOutletContext } from 'react-router'
import { useTitle } from '../../browser/tab-title.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { useWideScreen } from '../../ui/device/media.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Lazy } from '../../ui/lazy/lazy.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { type FrameContext, PageHeader } from '../page-header.tsx'
import { type AdminSection, adminSections } from './sections.ts'

/**
 * The administration: a list of sections, and the chosen one beside it; on a phone, the list links to each. The page
 * does not exist for those who may open none of it. Lazy-loaded.
 */
export default function AdminPage() {
  const me = useMe()
  const frame = useOutletContext<FrameContext>()
  const isWide = useWideScreen()
  const { pathname } = useLocation()
  const [, path = ''] = /^\/admin\/([^/]+)/.exec(pathname) ?? []
  const sections = adminSections.filter(({ isFor }) => isFor(me))
  const open = sections.find((section) => section.path === path)
  const [first] = sections
  useTitle(open?.title() ?? t('admin.title'))

  if (!first || (path && !open))
    return (
      <>
        <PageHeader frame={frame} isBare />
        <Notice title={t('errors.pageNotFound')} isPage>
          {t('admin.notFoundMore')}
        </Notice>
      </>
    )
  if (isWide && !open) return <Navigate to={paths.admin(first.path)} replace />
  return (
    <>
      <PageHeader frame={frame}>
        {isWide || !open ? (
          <h1 className="font-[650] text-head tracking-[-0.01em]">{t('admin.title')}</h1>
        ) : (
          <h1 className="flex min-w-0 items-center gap-1 text-head tracking-[-0.01em]">
            <Link to={paths.admin()} className="flex-none rounded-s py-2 text-soft hover:text-ink">
              {t('admin.title')}
            </Link>
            <ChevronRight size={16} className="flex-none text-faint rtl:-scale-x-100" />
            <span className="truncate font-[650]">{open.title()}</span>
          </h1>
        )}
        <span className="flex-1" />
      </PageHeader>
      <div className="grid min-h-0 flex-1 wide:grid-cols-[14.5rem_minmax(0,1fr)]">
        {(isWide || !open) && <SectionList sections={sections} />}
        {open && <Section key={open.path} section={open} isTitled={isWide} />}
      </div>
    </>
  )
}

function SectionList({ sections }: { sections: readonly AdminSection[] }) {
  return (
    <nav
      aria-label={t('admin.sections')}
      data-region=""
      tabIndex={-1}
      className="min-h-0 overflow-y-auto overscroll-contain border-line border-e p-2 text-ui outline-none max-wide:border-e-0"
    >
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
        {sections.map(({ path, title, Icon }) => (
          <li key={path}>
            <NavLink
              to={paths.admin(path)}
              className={({ isActive }) =>
                `flex h-(--row) items-center gap-2.5 rounded-s px-2.5 focus-visible:-outline-offset-2 ${isActive ? 'bg-selected font-[600] text-ink' : 'text-soft hover:bg-hover hover:text-ink'}`
              }
            >
              <Icon size={16} className="flex-none" />
              <span className="min-w-0 flex-1 truncate">{title()}</span>
              <ChevronRight size={16} className="text-faint wide:hidden rtl:-scale-x-100" />
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface SectionProps {
  section: AdminSection
  /** Whether the title is visible here: on a phone it is in the header. */
  isTitled: boolean
}

function Section({ section: { title, load }, isTitled }: SectionProps) {
  return (
    <section
      aria-label={title()}
      data-region=""
      data-area=""
      tabIndex={-1}
      className="min-h-0 min-w-0 overflow-y-auto overscroll-contain px-4 py-5 outline-none wide:px-8 wide:py-6"
    >
      <div className="max-w-6xl">
        <h2 className={isTitled ? 'mb-5 font-[650] text-title tracking-[-0.015em]' : 'sr-only'}>{title()}</h2>
        <Lazy load={load} waiting={<SkeletonRows />} />
      </div>
    </section>
  )
}
