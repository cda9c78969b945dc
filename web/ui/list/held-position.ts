import { type RefObject, useEffect } from 'react'

/**
 * Keeps what the reader looks at in place while rows above it appear, disappear or change their height: the field they
 * write in or, once they have scrolled, the first row in view (`li`). The browsers' own anchoring leaves the top of a list
 * and fields out.
 */
export function useHeldPosition(scroller: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let held: { anchor: Element; top: number } | undefined
    const topOf = (anchor: Element) => anchor.getBoundingClientRect().top - element.getBoundingClientRect().top

    const choose = () => {
      const anchor = fieldIn(element) ?? (element.scrollTop > 0 ? firstInView(element) : undefined)
      held = anchor && { anchor, top: topOf(anchor) }
    }
    const keep = () => {
      if (held?.anchor.isConnected) element.scrollTop += topOf(held.anchor) - held.top
      choose()
    }
    const sizes = new ResizeObserver(keep)
    for (const content of element.children) sizes.observe(content)
    element.addEventListener('scroll', choose, { passive: true })
    element.addEventListener('focusin', choose)
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', choose)
      element.removeEventListener('focusin', choose)
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
