/** The last focused element of each region. */
const lastFocused = new WeakMap<HTMLElement, HTMLElement>()

/**
 * Moves the focus to the next region of the page (`data-region`), wrapping around: to the element last focused there, or to
 * a suitable one.
 */
export function focusRegion(by: 1 | -1) {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(isReachable)
  const now = document.activeElement
  const here = regions.find((region) => region.contains(now))
  if (here && now instanceof HTMLElement) lastFocused.set(here, now)
  const others = by === 1 ? regions : regions.reverse()
  const isAhead = (region: HTMLElement) => {
    const position = now?.compareDocumentPosition(region) ?? 0
    return (position & (by === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING)) !== 0
  }
  const next = others.find((region) => region !== here && isAhead(region)) ?? others[0]
  if (next) (previousFocus(next) ?? defaultFocus(next)).focus()
}

const isReachable = (element: HTMLElement) =>
  element.closest('[inert]') === null && element.checkVisibility({ visibilityProperty: true })

function previousFocus(region: HTMLElement) {
  const before = lastFocused.get(region)
  return before && region.contains(before) && isReachable(before) ? before : undefined
}

/** The open row or the composer; the newest message in view; or the first control. */
function defaultFocus(region: HTMLElement) {
  const { top, bottom } = region.getBoundingClientRect()
  const isInView = (row: HTMLElement) => {
    const box = row.getBoundingClientRect()
    return box.bottom > top && box.bottom <= bottom
  }
  return (
    region.querySelector<HTMLElement>('a[aria-current=page], textarea') ??
    [...region.querySelectorAll('article')].findLast(isInView) ??
    [...region.querySelectorAll<HTMLElement>('a, button:enabled')].find(isReachable) ??
    region
  )
}
