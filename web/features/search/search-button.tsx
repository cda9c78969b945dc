import { Search } from 'lucide-react'
import { shortcutLabel } from '../../browser/shortcuts.ts'
import { t } from '../../i18n/text.ts'
import { IconButton } from '../../ui/input/icon-button.tsx'

/** The search bar at the top of every page. Phones show `SearchIcon` instead. */
export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onClick}
      className="flex h-8 w-full items-center gap-2 rounded-m border border-line-strong bg-hover ps-3 pe-2 text-soft text-ui transition-colors hover:border-line-control hover:text-ink pointer-coarse:h-9"
    >
      <Search size={16} className="flex-none" />
      <span className="min-w-0 flex-1 truncate text-start">{t('search.placeholder')}</span>
      <kbd className="pointer-coarse:hidden">{shortcutLabel('search')}</kbd>
    </button>
  )
}

export function SearchIcon({ onClick }: { onClick: () => void }) {
  return (
    <IconButton name={t('search.open')} aria-haspopup="dialog" className="ms-auto wide:hidden" onClick={onClick}>
      <Search size={20} />
    </IconButton>
  )
}
