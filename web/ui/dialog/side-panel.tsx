import { ChevronLeft, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from '../input/icon-button.tsx'
import { useEscape } from './escape.ts'

interface Props {
  title: string
  /** The name of what it belongs to. */
  of: string | undefined
  closeName: string
  onClose: () => void
  /** Shown before the close button. */
  action?: ReactNode
  children: ReactNode
}

/**
 * A column at the right of a page, its positioned parent: beside the content if there is room for both, otherwise over
 * it, on a phone over everything. Escape closes it, and the focus returns to where it was.
 */
export function SidePanel({ title, of, closeName, onClose, action, children }: Props) {
  useEscape('beside', onClose)
  const panel = useFocusReturn()
  return (
    <aside
      ref={panel}
      aria-label={title}
      className="flex min-h-0 w-(--thread) flex-none flex-col border-line border-l bg-paper wide:[--gutter:16px] max-[1200px]:absolute max-[1200px]:inset-y-0 max-[1200px]:right-0 max-[1200px]:z-10 max-[1200px]:max-w-full max-[1200px]:animate-appear max-[1200px]:shadow-modal max-wide:fixed max-wide:bottom-(--keyboard,0px) max-wide:left-0 max-wide:w-auto max-wide:border-l-0"
    >
      <header className="flex h-(--bar) flex-none items-center gap-2 border-line border-b px-2 wide:pl-(--gutter)">
        <IconButton name={closeName} className="wide:hidden" onClick={onClose}>
          <ChevronLeft size={20} />
        </IconButton>
        <h2 className="flex-none font-[650] text-head tracking-[-0.01em]">{title}</h2>
        {of && (
          <bdi className="ml-1 min-w-0 truncate border-line-strong border-l pl-3 text-faint text-ui" title={of}>
            {of}
          </bdi>
        )}
        <span className="ml-auto flex flex-none items-center gap-1">
          {action}
          <IconButton name={closeName} className="max-wide:hidden" onClick={onClose}>
            <X size={16} />
          </IconButton>
        </span>
      </header>
      {children}
    </aside>
  )
}

/** Returns the focus on unmount, unless the user moved it, or the page was unmounted too. */
function useFocusReturn() {
  const panel = useRef<HTMLElement>(null)
  const [origin] = useState(() => document.activeElement)
  useEffect(() => {
    const page = panel.current?.parentElement
    return () => {
      if (!page?.isConnected || document.activeElement !== document.body) return
      if (origin instanceof HTMLElement) origin.focus()
    }
  }, [origin])
  return panel
}
