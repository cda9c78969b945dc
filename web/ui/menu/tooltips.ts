import { direction } from '../../i18n/language.ts'
import { isTouch } from '../device/media.ts'

const DELAY_MS = 400
/** Right after one tooltip the next one comes at once. */
const WARM_MS = 300
const GAP_PX = 6
const WINDOW_MARGIN_PX = 8

const HAS_TOOLTIP = '[data-tip], [title]:not([title=""])'
/** The focus that these keys move is looked at; the focus that comes back from a dialog is not. */
const NAVIGATION = /^(Tab|Arrow|Home|End|Page|F6)/

/**
 * The tooltips of the whole page: for `data-tip`, with the key of `data-keys` as a cap, and for every `title`, in place of
 * the browser's own. They come on hover and on keyboard focus, never on touch, except for a `tip` event, and stay while the
 * pointer is on them, until Escape; but what can be clicked below them is never covered. They are for the eye only: the name or the description of the element says the same. Returns how to stop.
 */
export function startTooltips() {
  const card = document.createElement('div')
  card.className =
    'fixed z-50 w-max max-w-[min(280px,100vw-16px)] animate-appear text-pretty rounded-m border border-line bg-raised px-2 py-1 font-[500] text-ink text-meta shadow-float [overflow-wrap:anywhere] pointer-events-none print:hidden'
  card.role = 'tooltip'
  card.ariaHidden = 'true'
  card.dir = 'auto'
  /** What is pointed at, or has the focus; its tooltip is perhaps hidden again. */
  let anchor: HTMLElement | undefined
  let isFocused = false
  /** The anchor's `title`, while the browser must not show it. */
  let borrowed: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let hiddenAt = Number.NEGATIVE_INFINITY
  let isNavigating = false
  const changes = new MutationObserver(follow)

  function aim(next: HTMLElement | null, byFocus: boolean) {
    if (next === anchor || (!next && isFocused !== byFocus)) return
    leave()
    if (!next) return
    anchor = next
    isFocused = byFocus
    if (!byFocus) borrow()
    timer = setTimeout(show, performance.now() - hiddenAt < WARM_MS ? 0 : DELAY_MS)
  }

  function leave() {
    hide()
    if (anchor && borrowed !== undefined) {
      delete anchor.dataset['tip']
      if (!anchor.title) anchor.title = borrowed
    }
    anchor = undefined
    borrowed = undefined
  }

  /** An element that a test or a person looks for by its title and that has a tooltip of its own keeps both. */
  function borrow() {
    if (!anchor?.title || (anchor.dataset['tip'] !== undefined && borrowed === undefined)) return
    borrowed = anchor.title
    anchor.dataset['tip'] = borrowed
    anchor.removeAttribute('title')
  }

  function show() {
    if (!anchor?.isConnected || anchor.ariaExpanded === 'true' || !fill()) return
    document.body.append(card)
    place()
    changes.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['data-tip', 'data-keys', 'title', 'aria-expanded'],
    })
  }

  function hide() {
    clearTimeout(timer)
    changes.disconnect()
    if (!card.isConnected) return
    card.remove()
    hiddenAt = performance.now()
  }

  function follow() {
    if (!anchor?.isConnected || anchor.ariaExpanded === 'true') return hide()
    if (borrowed !== undefined) borrow()
    if (fill()) place()
    else hide()
  }

  /** Writes the tooltip's words; answers whether there is something to say. */
  function fill() {
    if (!anchor) return false
    const { tip = anchor.title, keys = '' } = anchor.dataset
    if ((!tip && !keys) || (!keys && isReadable(anchor, tip))) return false
    if (card.dataset['words'] === tip + keys) return true
    card.dataset['words'] = tip + keys
    const cap = document.createElement('kbd')
    cap.textContent = keys
    if (tip) cap.className = 'ms-2'
    card.replaceChildren(tip, ...(keys ? [cap] : []))
    return true
  }

  /** Above the anchor, below it at the top of the window, and never beyond its sides. */
  function place() {
    if (!anchor) return
    const at = anchor.getBoundingClientRect()
    const { width, height } = card.getBoundingClientRect()
    const { clientWidth } = document.documentElement
    // Beside a row of the sidebar, whose neighbours it would cover.
    const row = anchor.closest('nav li')?.getBoundingClientRect()
    if (row) {
      const beside = direction() === 'rtl' ? row.left - GAP_PX - width : row.right + GAP_PX
      const isInside = beside >= WINDOW_MARGIN_PX && beside + width + WINDOW_MARGIN_PX <= clientWidth
      if (isInside) return put(row.top + (row.height - height) / 2, beside)
    }
    const above = at.top - GAP_PX - height
    const top = above < WINDOW_MARGIN_PX ? at.bottom + GAP_PX : above
    const last = clientWidth - WINDOW_MARGIN_PX - width
    const left = Math.max(WINDOW_MARGIN_PX, Math.min(at.left + at.width / 2 - width / 2, last))
    put(top, left)
  }

  function put(top: number, left: number) {
    card.style.cssText = `top: ${Math.round(top)}px; left: ${Math.round(left)}px`
  }

  function point({ target, pointerType, clientX, clientY }: PointerEvent) {
    if (pointerType === 'touch') return
    const isOnCard = card.isConnected && contains(card.getBoundingClientRect(), clientX, clientY)
    if (!isOnCard || isClickable(target)) aim(anchorOf(target), false)
  }

  const on: { [Name in keyof DocumentEventMap]?: (event: DocumentEventMap[Name]) => void } = {
    pointerover: point,
    // From the card back to the element below it, which the pointer never left.
    pointermove: (event) => {
      if (card.isConnected) point(event)
    },
    pointerout: ({ relatedTarget }) => {
      if (!relatedTarget) aim(null, false)
    },
    pointerdown: () => {
      isNavigating = false
      hide()
    },
    keydown: ({ key }) => {
      isNavigating = NAVIGATION.test(key)
      if (['Escape', 'Enter', ' '].includes(key)) hide()
    },
    focusin: ({ target }) => {
      if (isNavigating && !isTouch() && target instanceof HTMLElement && target.matches(HAS_TOOLTIP)) aim(target, true)
    },
    focusout: () => aim(null, true),
    scroll: () => {
      if (card.isConnected) hide()
    },
  }
  const onTip = ({ target }: Event) => {
    aim(anchorOf(target), false)
    show()
  }
  const listeners = new AbortController()
  const { signal } = listeners
  for (const [name, act] of Object.entries(on))
    document.addEventListener(name, act as EventListener, { capture: true, passive: true, signal })
  document.addEventListener('tip', onTip, { signal })
  return () => {
    listeners.abort()
    leave()
  }
}

/** Whether an element shows these very words, uncut. */
const isReadable = (
  { textContent, scrollWidth, scrollHeight, clientWidth, clientHeight }: HTMLElement,
  words: string,
) => textContent?.trim() === words && scrollWidth <= clientWidth && scrollHeight <= clientHeight

/** Whether a point is in a box, or in the gap around it. */
const contains = ({ left, right, top, bottom }: DOMRect, x: number, y: number) =>
  x >= left && x <= right && y >= top - GAP_PX && y <= bottom + GAP_PX

const isClickable = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a, button, input, textarea, select, [role="option"]') !== null

const anchorOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>(HAS_TOOLTIP) : null
