import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useRoving } from '../../ui/roving.ts'

type Side = 'above' | 'below'
/** What is unread out of view on one side: nothing, something, or something that calls me. */
type Hidden = undefined | 'unread' | 'calls'

interface Props {
  name: string
  children: ReactNode
}

/** The sidebar's view of its rows; where unread ones are out of it, it says so and leads to the next. */
export function UnreadScroller({ name, children }: Props) {
  const scroller = useRef<HTMLElement>(null)
  const hidden = useHiddenUnread(scroller)
  useRoving(scroller)

  function go(side: Side) {
    const rows = unreadRows(scroller.current, side)
    const next = side === 'above' ? rows.at(-1) : rows[0]
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    next?.scrollIntoView({ block: 'center', behavior: calm ? 'instant' : 'smooth' })
    // The pill may go away; who came by keyboard goes on from the row.
    next?.querySelector('a')?.focus({ preventScroll: true })
  }

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <Pill side="above" hidden={hidden.above} onGo={go} />
      <nav ref={scroller} aria-label={name} className="min-h-0 flex-1 overflow-y-auto px-2 py-3">
        {children}
      </nav>
      <Pill side="below" hidden={hidden.below} onGo={go} />
    </div>
  )
}

function Pill({ side, hidden, onGo }: { side: Side; hidden: Hidden; onGo: (side: Side) => void }) {
  if (!hidden) return null
  const Icon = side === 'above' ? ArrowUp : ArrowDown
  const look = hidden === 'calls' ? 'bg-ember text-on-ember' : 'border border-line-strong bg-raised text-ink'
  return (
    <button
      type="button"
      onClick={() => onGo(side)}
      className={`absolute inset-x-0 z-1 mx-auto flex h-7 w-fit animate-appear items-center gap-1 rounded-full pr-3 pl-2 font-[600] text-meta shadow-float pointer-coarse:h-11 pointer-coarse:pr-4 pointer-coarse:pl-3 ${look} ${side === 'above' ? 'top-2' : 'bottom-2'}`}
    >
      <Icon size={14} />
      More unread
      <span className="sr-only"> {side}</span>
    </button>
  )
}

/** The unread rows whose middle is out of view on one side, from top to bottom. */
function unreadRows(scroller: HTMLElement | null, side: Side) {
  if (!scroller) return []
  const view = scroller.getBoundingClientRect()
  return [...scroller.querySelectorAll<HTMLElement>('[data-unread]')].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect()
    const middle = (top + bottom) / 2
    return side === 'above' ? middle < view.top : middle > view.bottom
  })
}

function hiddenOn(scroller: HTMLElement, side: Side): Hidden {
  const rows = unreadRows(scroller, side)
  if (rows.length === 0) return undefined
  return rows.some(({ dataset }) => dataset['unread'] === 'calls') ? 'calls' : 'unread'
}

/** Follows scrolling, the window's size, and the rows themselves. */
function useHiddenUnread(scroller: RefObject<HTMLElement | null>) {
  const [above, setAbove] = useState<Hidden>()
  const [below, setBelow] = useState<Hidden>()
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => {
      setAbove(hiddenOn(element, 'above'))
      setBelow(hiddenOn(element, 'below'))
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    const rows = new MutationObserver(look)
    rows.observe(element, { subtree: true, childList: true, attributeFilter: ['data-unread'] })
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      rows.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller])
  return { above, below }
}
