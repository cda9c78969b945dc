import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { SearchIcon } from '../features/search/search-button.tsx'
import { t } from '../i18n/text.ts'
import { IconButton } from '../ui/input/icon-button.tsx'

/** What the frame provides to the page inside it. */
export interface FrameContext {
  /** Opens the sidebar, which is a drawer on a phone. */
  showSidebar: () => void
  openSearch: () => void
  /** Opens the search in the open conversation. */
  searchHere: () => void
}

interface Props {
  frame: FrameContext
  /** For a page without a title; omits the line below. */
  isBare?: boolean
  children?: ReactNode
}

/** The bar above a page, a query container for its content. On a phone it has buttons for the sidebar and the search. */
export function PageHeader({ frame, isBare = false, children }: Props) {
  return (
    <header
      className={`@container mb-(--notice) flex h-(--bar) flex-none items-center gap-2 border-line border-b px-2 wide:ps-[calc(var(--side)+var(--gutter))] wide:pe-(--after) ${isBare ? 'wide:border-b-0' : ''}`}
    >
      <IconButton
        name={t('shell.showChannels')}
        className="max-wide:size-[min(2.75rem,var(--bar))] wide:hidden"
        onClick={frame.showSidebar}
      >
        <ChevronLeft size={20} className="rtl:-scale-x-100" />
      </IconButton>
      {children}
      <SearchIcon onClick={frame.openSearch} />
    </header>
  )
}
