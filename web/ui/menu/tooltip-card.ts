import { direction } from '../../i18n/language.ts'

const GAP_PX = 6
const WINDOW_MARGIN_PX = 8

/** The card with a tooltip's text, hidden from screen readers. */
export function createTooltipCard() {
  const card = document.createElement('div')
  card.className =
    'fixed z-50 w-max max-w-[min(280px,100vw-16px)] animate-appear text-pretty rounded-m border border-line bg-raised px-2 py-1 font-[500] text-ink text-meta shadow-float [overflow-wrap:anywhere] pointer-events-none print:hidden'
  card.role = 'tooltip'
  card.ariaHidden = 'true'
  card.dir = 'auto'

  /** Writes the text of an element's tooltip. Returns whether there is any. */
  function write(anchor: HTMLElement) {
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

  function showAt(anchor: HTMLElement) {
    document.body.append(card)
    moveTo(anchor)
  }

  function moveTo(anchor: HTMLElement) {
    const { top, left } = placeFor(anchor, card.getBoundingClientRect())
    card.style.cssText = `top: ${Math.round(top)}px; left: ${Math.round(left)}px`
  }

  return {
    write,
    showAt,
    moveTo,
    remove: () => card.remove(),
    isShown: () => card.isConnected,
    /** Whether a point is on the card, or in the gap around it. */
    isAt: (x: number, y: number) => card.isConnected && contains(card.getBoundingClientRect(), x, y),
  }
}

/** Above the anchor, below it at the top of the window, and never beyond its sides. */
function placeFor(anchor: HTMLElement, { width, height }: DOMRect) {
  const at = anchor.getBoundingClientRect()
  const { clientWidth } = document.documentElement
  // Beside a row of the sidebar, whose neighbours it would cover.
  const row = anchor.closest('nav li')?.getBoundingClientRect()
  if (row) {
    const beside = direction() === 'rtl' ? row.left - GAP_PX - width : row.right + GAP_PX
    const isInside = beside >= WINDOW_MARGIN_PX && beside + width + WINDOW_MARGIN_PX <= clientWidth
    if (isInside) return { top: row.top + (row.height - height) / 2, left: beside }
  }
  const above = at.top - GAP_PX - height
  const last = clientWidth - WINDOW_MARGIN_PX - width
  return {
    top: above < WINDOW_MARGIN_PX ? at.bottom + GAP_PX : above,
    left: Math.max(WINDOW_MARGIN_PX, Math.min(at.left + at.width / 2 - width / 2, last)),
  }
}

/** Whether an element already shows these words in full. */
const isReadable = (
  { textContent, scrollWidth, scrollHeight, clientWidth, clientHeight }: HTMLElement,
  words: string,
) => textContent?.trim() === words && scrollWidth <= clientWidth && scrollHeight <= clientHeight

const contains = ({ left, right, top, bottom }: DOMRect, x: number, y: number) =>
  x >= left && x <= right && y >= top - GAP_PX && y <= bottom + GAP_PX
