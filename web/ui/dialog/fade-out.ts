import { useLayoutEffect, useRef } from 'react'

/** `--fast` of `tokens.css`. */
const FADE_MS = 90
/** What tells the page that something is open, or where. */
const HOOKS = ['id', 'aria-labelledby', 'data-question', 'data-covers-page', 'data-region', 'data-row']
const OPEN_ROLES = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
/** Copying more would take longer than a frame. */
const MAX_ELEMENTS = 2000

/**
 * When the calling popup unmounts, an inert copy of it fades out in its place. The popup itself is gone at once, so neither the
 * focus nor the next click waits. Returns the refs of its parts.
 */
export function useFadeOut() {
  const backdrop = useRef<HTMLDivElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    return () => {
      if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
      for (const { current } of [backdrop, popup]) if (current) fadeOut(current)
    }
  }, [])
  return { backdrop, popup }
}

function fadeOut(part: HTMLElement) {
  const elements = part.querySelectorAll('*')
  // Copies of these would start anew.
  if (elements.length > MAX_ELEMENTS || part.querySelector('em-emoji-picker, video, audio')) return
  const copy = part.cloneNode(true) as HTMLElement
  const { left, top, width, height } = part.getBoundingClientRect()
  for (const element of [copy, ...copy.querySelectorAll('*')]) silence(element)
  copy.inert = true
  copy.ariaHidden = 'true'
  Object.assign(copy.style, {
    position: 'fixed',
    inset: 'auto',
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    maxHeight: 'none',
    maxWidth: 'none',
    margin: '0',
    zIndex: '40',
    animation: 'none',
    pointerEvents: 'none',
  })
  document.body.append(copy)
  keepScrolled(elements, copy.querySelectorAll('*'))
  copy.animate({ opacity: [1, 0] }, { duration: FADE_MS, easing: 'ease-out', fill: 'forwards' })
  setTimeout(() => copy.remove(), FADE_MS)
}

/** So that the page doesn't take a copy for an open popup. */
function silence(element: Element) {
  for (const name of HOOKS) element.removeAttribute(name)
  if (element.matches(OPEN_ROLES)) element.removeAttribute('role')
}

function keepScrolled(elements: NodeListOf<Element>, copies: NodeListOf<Element>) {
  for (const [index, { scrollTop, scrollLeft }] of elements.entries())
    if (scrollTop !== 0 || scrollLeft !== 0) copies[index]?.scrollTo(scrollLeft, scrollTop)
}
