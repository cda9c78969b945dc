import { ChevronLeft, X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { roomBeside } from '../device/media.ts'
import { IconButton } from '../input/icon-button.tsx'
import { useEscape } from './escape.ts'

interface Props {
  title: string
  /** A name shown after the title, such as that of the channel. */
  of: string | undefined
  closeName: string
  onClose: () => void
  /** Shown before the close button. */
  action?: ReactNode
  children: ReactNode
}

/**
 * A column at the end of a page, its positioned parent: beside the content if there is room for both, otherwise over the
 * content, which is inert then and closes the panel on a click. On a phone it covers everything. Escape closes it as well,
 * and the focus returns to where it was.
 */
export function SidePanel({ title, of, closeName, onClose, action, children }: Props) {
  useEscape('beside', onClose)
  const panel = useRef<HTMLElement>(null)
  const isOver = useIsOver()
  useInertPage(panel, isOver)
  useFocusReturn(panel)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the panel has a button and a key for it */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the panel has a button and a key for it */}
      <div
        data-scrim=""
        className="absolute inset-0 z-10 animate-appear bg-scrim beside:hidden max-wide:hidden print:hidden"
        onClick={onClose}
      />
      <aside
        ref={panel}
        aria-label={title}
        className="flex min-h-0 w-(--thread) flex-none flex-col border-line border-s bg-paper wide:[--gutter:16px] wide:[--picture:132px] max-beside:absolute max-beside:inset-y-0 max-beside:end-0 max-beside:z-10 max-beside:max-w-full max-beside:shadow-modal max-wide:fixed max-wide:start-0 max-wide:bottom-(--keyboard,0px) max-wide:w-auto max-wide:border-s-0"
      >
        <header className="flex max-wide:mb-(--notice) h-(--bar) flex-none items-center gap-2 border-line border-b px-2 wide:ps-(--gutter)">
          <IconButton name={closeName} className="wide:hidden" onClick={onClose}>
            <ChevronLeft size={20} className="rtl:-scale-x-100" />
          </IconButton>
          {/* While the page is inert, so is its level 1 heading. */}
          <h2 aria-level={isOver ? 1 : undefined} className="flex-none font-[650] text-head tracking-[-0.01em]">
            {title}
          </h2>
          {of && (
            <bdi className="ms-1 min-w-0 truncate border-line-strong border-s ps-3 text-faint text-ui" title={of}>
              {of}
            </bdi>
          )}
          <span className="ms-auto flex flex-none items-center gap-1">
            {action}
            <IconButton name={closeName} className="max-wide:hidden" onClick={onClose}>
              <X size={16} />
            </IconButton>
          </span>
        </header>
        {children}
      </aside>
    </>
  )
}

function useIsOver() {
  const [query] = useState(roomBeside)
  const [isOver, setOver] = useState(!query.matches)
  useEffect(() => {
    const update = () => setOver(!query.matches)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [query])
  return isOver
}

/** Makes the page inert while the panel lies over it. */
function useInertPage(panel: RefObject<HTMLElement | null>, isOver: boolean) {
  useEffect(() => {
    const covered = [...(panel.current?.parentElement?.children ?? [])].filter(
      (it) => it instanceof HTMLElement && it !== panel.current && !('scrim' in it.dataset),
    ) as HTMLElement[]
    const setInert = (isInert: boolean) => {
      for (const element of covered) element.inert = isInert
    }
    setInert(isOver)
    return () => setInert(false)
  }, [panel, isOver])
}

/** Returns the focus on unmount, unless the user moved it, or the page was unmounted as well. */
function useFocusReturn(panel: RefObject<HTMLElement | null>) {
  const [origin] = useState(() => document.activeElement)
  useEffect(() => {
    const page = panel.current?.parentElement
    return () => {
      if (!page?.isConnected || document.activeElement !== document.body) return
      if (origin instanceof HTMLElement) origin.focus()
    }
  }, [panel, origin])
}
