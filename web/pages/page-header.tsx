import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/icon-button.tsx'

/** The bar above a page; on a phone it has the way back to the sidebar. */
export function PageHeader({ onBack, children }: { onBack: () => void; children?: ReactNode }) {
  return (
    <header className="flex h-(--bar) flex-none items-center gap-2 border-line border-b px-2 wide:pr-3 wide:pl-(--gutter)">
      <IconButton name="Show channels" className="max-wide:h-11 max-wide:w-11 wide:hidden" onClick={onBack}>
        <ChevronLeft size={20} />
      </IconButton>
      {children}
    </header>
  )
}
