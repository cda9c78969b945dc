import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { PRODUCT } from '../../browser/tab-title.ts'
import { UnreadScroller } from '../../features/channels/sidebar/unread-scroller.tsx'
import { t } from '../../i18n/text.ts'
import { useWorkspaceName } from '../../me.tsx'
import { Logo } from '../../ui/brand.tsx'
import { useEscape } from '../../ui/dialog/escape.ts'
import { askForMenu } from './ask-for-menu.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
  /** Shown above the lists. */
  head: ReactNode
  children: ReactNode
  footer: ReactNode
}

/** A column on wide screens, a drawer over the page on narrow ones. */
export function Sidebar({ isOpen, onClose, head, children, footer }: Props) {
  const workspace = useWorkspaceName()
  const aside = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    aside.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [isOpen])

  useEscape('over', onClose, isOpen)

  return (
    <>
      {isOpen && (
        <button
          type="button"
          aria-label={t('shell.closeSidebar')}
          className="fixed inset-0 z-20 animate-appear bg-scrim wide:hidden"
          onClick={onClose}
        />
      )}
      <aside
        ref={aside}
        aria-label={t('shell.sidebar')}
        data-region=""
        tabIndex={-1}
        className={`row-span-full flex min-h-0 flex-col border-line border-e bg-sunk text-ui outline-none max-wide:fixed max-wide:inset-y-0 max-wide:start-0 max-wide:z-20 max-wide:w-[min(22.9rem,calc(100vw-24px))] max-wide:shadow-modal ${isOpen ? 'max-wide:[transition:translate_var(--calm)_var(--ease)]' : 'max-wide:invisible max-wide:-translate-x-full rtl:max-wide:translate-x-full max-wide:[transition:translate_var(--calm)_var(--ease),visibility_0s_var(--calm)]'}`}
      >
        <div className="flex h-(--bar) flex-none items-center px-2">
          <button
            type="button"
            data-menu="workspace"
            aria-haspopup="menu"
            onClick={askForMenu}
            className="flex h-9 min-w-0 items-center gap-2 rounded-s px-2 font-[650] text-body tracking-[-0.01em] hover:bg-hover aria-expanded:bg-hover pointer-coarse:h-11"
          >
            <Logo />
            <bdi className="truncate">{workspace}</bdi>
            {workspace === PRODUCT && (
              <small className="flex-none rounded-full border border-line-strong px-1.5 font-[500] text-soft text-micro leading-4">
                {__VERSION__}
              </small>
            )}
            <ChevronDown size={14} className="flex-none text-faint" />
          </button>
        </div>
        {head}
        <UnreadScroller name={t('shell.conversations')}>{children}</UnreadScroller>
        <div className="flex items-center gap-1 border-line border-t p-2 pb-[max(8px,env(safe-area-inset-bottom))]">
          {footer}
        </div>
      </aside>
    </>
  )
}
