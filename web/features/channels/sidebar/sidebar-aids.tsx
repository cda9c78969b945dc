import { ArrowDown, ArrowUp } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { rich } from '../../../i18n/text.ts'
import { useRoving } from '../../../ui/list/roving.ts'

type Side = 'above' | 'below'
/** What is unread out of view on one side: nothing, something, or something with notifications. */
type Hidden = undefined | 'unread' | 'notifications'

/** Arrow keys for the rows of the sidebar, and buttons that scroll to unread rows out of view. Lazy-loaded. */
export default function SidebarAids({ scroller }: { scroller: RefObject<HTMLElement | null> }) {
  useRoving(scroller)
  const hidden = useHiddenUnread(scroller)

  function go(side: Side) {
    const rows = unreadRows(scroller.current, side)
    const next = side === 'above' ? rows.at(-1) : rows[0]
    const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
    next?.scrollIntoView({ block: 'center', behavior: isMotionReduced ? 'instant' : 'smooth' })
    // The pill may disappear; keyboard users continue from the row.
    next?.querySelector('a')?.focus({ preventScroll: true })
  }

  return (
    <>
      <Pill side="above" hidden={hidden.above} onGo={go} />
      <Pill side="below" hidden={hidden.below} onGo={go} />
    </>
  )
}

function Pill({ side, hidden, onGo }: { side: Side; hidden: Hidden; onGo: (side: Side) => void }) {
  if (!hidden) return null
  const Icon = side === 'above' ? ArrowUp : ArrowDown
  const style = hidden === 'notifications' ? 'bg-ember text-on-ember' : 'border border-line-strong bg-raised text-ink'
  return (
    <button
      type="button"
      onClick={() => onGo(side)}
      className={`absolute inset-x-0 z-1 mx-auto flex h-7 w-fit animate-appear items-center gap-1 rounded-full ps-2 pe-3 font-[600] text-meta shadow-float pointer-coarse:h-11 pointer-coarse:ps-3 pointer-coarse:pe-4 ${style} ${side === 'above' ? 'top-2' : 'bottom-2'}`}
    >
      <Icon size={14} />
      {rich(side === 'above' ? 'channels.unreadAbove' : 'channels.unreadBelow', {
        hidden: (part) => <span className="sr-only">{part}</span>,
      })}
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
  return rows.some(({ dataset }) => dataset['unread'] === 'notifications') ? 'notifications' : 'unread'
}

/** Updated on scrolling, on resizing, and when rows change. */
function useHiddenUnread(scroller: RefObject<HTMLElement | null>) {
  const [above, setAbove] = useState<Hidden>()
  const [below, setBelow] = useState<Hidden>()
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const update = () => {
      setAbove(hiddenOn(element, 'above'))
      setBelow(hiddenOn(element, 'below'))
    }
    const sizes = new ResizeObserver(update)
    sizes.observe(element)
    const rows = new MutationObserver(update)
    rows.observe(element, { subtree: true, childList: true, attributeFilter: ['data-unread'] })
    element.addEventListener('scroll', update, { passive: true })
    return () => {
      sizes.disconnect()
      rows.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [scroller])
  return { above, below }
}
