import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Rows rendered beyond each edge of the view. The view is updated in steps of this many rows. */
const OVERSCAN_ROWS = 8

/** The indices of the first and last row in or near the view, of `count` rows of equal height. */
export function useRowsInView(list: RefObject<HTMLElement | null>, count: number) {
  const [view, setView] = useState({ first: 0, last: 4 * OVERSCAN_ROWS })
  useLayoutEffect(() => {
    const element = list.current
    const scroller = element && scrollerOf(element)
    if (!scroller || count === 0) return
    const update = () => {
      const rows = element.getBoundingClientRect()
      const seen = scroller.getBoundingClientRect()
      const steps = (y: number) => Math.floor(((y - rows.top) * count) / rows.height / OVERSCAN_ROWS)
      const first = Math.max(0, (steps(seen.top) - 1) * OVERSCAN_ROWS)
      const last = Math.min(count - 1, (steps(seen.bottom) + 2) * OVERSCAN_ROWS)
      setView((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    // Synchronously, before the next frame: a fast wheel would show a gap.
    const onScroll = () => flushSync(update)
    const sizes = new ResizeObserver(update)
    // Siblings above the list move it.
    for (const part of [scroller, ...scroller.children]) sizes.observe(part)
    scroller.addEventListener('scroll', onScroll, { passive: true })
    update()
    return () => {
      sizes.disconnect()
      scroller.removeEventListener('scroll', onScroll)
    }
  }, [list, count])
  return view
}

/** Scrolls only the row's own scroller, and no further than needed. */
export function bringIntoView(row: HTMLElement | null | undefined) {
  const scroller = row && scrollerOf(row)
  if (!scroller) return
  const { top, bottom } = row.getBoundingClientRect()
  const view = scroller.getBoundingClientRect()
  scroller.scrollTop += Math.min(0, top - view.top) + Math.max(0, bottom - view.bottom)
}

/** The closest scrolling ancestor of an element. */
export function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let above = element.parentElement; above; above = above.parentElement)
    if (/auto|scroll/.test(getComputedStyle(above).overflowY)) return above
  return null
}
