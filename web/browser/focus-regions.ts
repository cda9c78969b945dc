/** What had the focus in a region when it was left. */
const left = new WeakMap<HTMLElement, HTMLElement>()

/** Puts the focus into the next part of the page (`data-region`), around and around: where it was, or where one begins. */
export function focusRegion(by: 1 | -1) {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(isThere)
  const now = document.activeElement
  const here = regions.find((region) => region.contains(now))
  if (here && now instanceof HTMLElement) left.set(here, now)
  const others = by === 1 ? regions : regions.reverse()
  const isAhead = (region: HTMLElement) => {
    const place = now?.compareDocumentPosition(region) ?? 0
    return (place & (by === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING)) !== 0
  }
  const next = others.find((region) => region !== here && isAhead(region)) ?? others[0]
  if (next) (wasIn(next) ?? beginningOf(next)).focus()
}

const isThere = (element: HTMLElement) =>
  element.closest('[inert]') === null && element.checkVisibility({ visibilityProperty: true })

function wasIn(region: HTMLElement) {
  const before = left.get(region)
  return before && region.contains(before) && isThere(before) ? before : undefined
}

/** The open row or the box to write in; of messages the newest in view; else the first that takes the focus. */
function beginningOf(region: HTMLElement) {
  const { top, bottom } = region.getBoundingClientRect()
  const isInView = (row: HTMLElement) => {
    const box = row.getBoundingClientRect()
    return box.bottom > top && box.bottom <= bottom
  }
  return (
    region.querySelector<HTMLElement>('a[aria-current=page], textarea') ??
    [...region.querySelectorAll('article')].findLast(isInView) ??
    [...region.querySelectorAll<HTMLElement>('a, button:enabled')].find(isThere) ??
    region
  )
}
