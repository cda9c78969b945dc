import { type RefObject, useEffect } from 'react'

/**
 * Keeps what the reader looks at in place while rows above it appear, disappear or change their height: the text area with
 * the focus or, once they have scrolled, the first row in view (`li`). The browsers' own anchoring works neither at the top of
 * a list nor for fields.
 */
export function useHeldPosition(scroller: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let held: { anchor: Element; top: number; scrollTop: number } | undefined
    const topOf = (anchor: Element) => anchor.getBoundingClientRect().top - element.getBoundingClientRect().top

    /** Undoes movement by the rows, but not the reader's scrolling; both may happen before either is reported. */
    const keep = () => {
      if (held?.anchor.isConnected) {
        // A list that has become shorter may have scrolled on its own.
        const from = Math.min(held.scrollTop, element.scrollHeight - element.clientHeight)
        const moved = topOf(held.anchor) - held.top + element.scrollTop - from
        // Assigning would end a smooth scroll.
        if (Math.abs(moved) > 0.5) element.scrollTop += moved
      }
      const anchor = fieldIn(element) ?? (element.scrollTop > 0 ? firstInView(element) : undefined)
      held = anchor && { anchor, top: topOf(anchor), scrollTop: element.scrollTop }
    }
    const sizes = new ResizeObserver(keep)
    for (const content of element.children) sizes.observe(content)
    element.addEventListener('scroll', keep, { passive: true })
    element.addEventListener('focusin', keep)
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', keep)
      element.removeEventListener('focusin', keep)
    }
  }, [scroller])
}

/** The focused text area, if it is in view. */
function fieldIn(scroller: HTMLElement) {
  const field = document.activeElement
  if (!(field instanceof HTMLTextAreaElement) || !scroller.contains(field)) return undefined
  const [view, box] = [scroller.getBoundingClientRect(), field.getBoundingClientRect()]
  return box.bottom > view.top && box.top < view.bottom ? field : undefined
}

function firstInView(scroller: HTMLElement) {
  const { top } = scroller.getBoundingClientRect()
  return [...scroller.querySelectorAll('li')].find((row) => row.getBoundingClientRect().bottom > top)
}
