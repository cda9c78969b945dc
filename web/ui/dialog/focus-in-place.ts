import { afterTwoFrames } from './after-close.ts'

/** Where an element stood when it was removed. */
interface Place {
  parent: Node
  next: Element | undefined
  previous: Element | undefined
}

const CONTROLS = 'a[href], button, input, textarea, select'
/** Text fields. */
const FIELDS = 'textarea, input:not([type=checkbox], [type=radio])'
const REGIONS = '[data-region], [role=dialog], main'
/** Areas in which another control takes over; the nearest one decides. */
const AREAS = 'li, article, [role=dialog], nav, aside, [data-area]'

const places = new WeakMap<Node, Place>()
const changes = new MutationObserver(notice)
/** The element focused last, unless the user has moved the focus away from it to nothing. */
let last: HTMLElement | undefined
/** True until the next frame, in which a dialog whose focused part is gone focuses itself. */
let isSettling = false
/** Whether the user is typing: the next key may be Enter or a space, which must not press anything. */
let isTyping = false
/** True between leaving one element and entering the next, while the body has the focus. */
let isMoving = false

/**
 * Whenever the focused element disappears, moves the focus to something nearby instead of the body: the same control in the
 * next or previous row, else the control before the list, else the surrounding region. Follows a row that moved to another
 * list (`data-row` is its id), and returns the focus to a button that was disabled for a while. Code that moves the focus
 * itself has precedence. If a field disappears while the user is typing, the surrounding region gets the focus, because keys
 * do nothing there. Called by every popup and once the page is idle; the first call counts.
 */
export function keepFocusInPlace() {
  const { activeElement } = document
  // The element focused before the first call.
  if (!last && activeElement instanceof HTMLElement && !isLost()) last = activeElement
  changes.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', onFocusIn, true)
  document.addEventListener('focusout', onFocusOut, true)
  document.addEventListener('beforeinput', onBeforeInput, true)
  document.addEventListener('keydown', onKeyDown, true)
  document.addEventListener('pointerdown', onPointerDown, true)
}

function onBeforeInput() {
  isTyping = true
}

function onPointerDown() {
  isTyping = false
}

/** These keys end typing, unless they change the text. */
function onKeyDown({ key }: KeyboardEvent) {
  if (key === 'Enter' || key === 'Escape' || key === 'Tab') isTyping = false
}

/** `element`, or the control beside the place where it was. */
export function inPlaceOf(element: HTMLElement): HTMLElement | undefined {
  record(changes.takeRecords())
  if (isUsable(element)) return element
  return movedRow(element) ?? beside(element)
}

function onFocusIn({ target }: FocusEvent) {
  isMoving = false
  if (!(target instanceof HTMLElement)) return
  if (!isDialog(target)) last = target
  else if (!isSettling && last && isUsable(last)) last = undefined
}

function onFocusOut({ relatedTarget }: FocusEvent) {
  isMoving = relatedTarget !== null
  // By then the element has left the page, if that was the cause.
  if (!relatedTarget)
    queueMicrotask(() => {
      if (last && isUsable(last) && document.activeElement === document.body) last = undefined
    })
}

function notice(records: MutationRecord[]) {
  record(records)
  if (!last || isMoving || !isLost()) return
  if (isUsable(last)) {
    if (records.some(({ type, target }) => type === 'attributes' && target === last)) focus(last)
    return
  }
  if (last.isConnected) return
  const gone = last
  const control = isTyping && gone.matches(FIELDS) ? undefined : inPlaceOf(gone)
  const target = control ?? regionAround(gone)
  if (!target) last = undefined
  else if (gone.closest('li') || target.closest('[role=dialog]')) settle(target)
  // By then all code that moves the focus itself has done so.
  else afterTwoFrames(() => setTimeout(() => last === gone && isLost() && settle(target)))
}

function settle(target: HTMLElement) {
  isSettling = true
  focus(target)
  requestAnimationFrame(() => {
    isSettling = false
    if (last && isLost() && isUsable(last)) focus(last)
  })
}

function focus(element: HTMLElement) {
  element.focus({ preventScroll: true })
  if (element.matches(':focus-visible')) element.scrollIntoView({ block: 'nearest' })
}

export const isLost = () => document.activeElement === document.body || isDialog(document.activeElement)

const isDialog = (element: Element | null) => element?.getAttribute('role') === 'dialog'

const isUsable = (element: HTMLElement) =>
  element.isConnected &&
  !element.matches(':disabled') &&
  !element.closest('[inert]') &&
  element.checkVisibility({ visibilityProperty: true })

function record(records: MutationRecord[]) {
  for (const { target, removedNodes, nextSibling, previousSibling } of records) {
    for (const node of removedNodes)
      places.set(node, {
        parent: target,
        next: elementFrom(nextSibling, 'nextSibling'),
        previous: elementFrom(previousSibling, 'previousSibling'),
      })
  }
}

function elementFrom(node: Node | null, direction: 'nextSibling' | 'previousSibling') {
  let at = node
  while (at && !(at instanceof Element)) at = at[direction]
  return at ?? undefined
}

const controlsOf = (area: Element) => [...area.querySelectorAll<HTMLElement>(CONTROLS)]

/** The region that an element is or was in. */
export function regionAround(gone: HTMLElement) {
  record(changes.takeRecords())
  let at: Node | undefined = gone
  while (at && !at.isConnected) at = places.get(topOf(at))?.parent
  return regionOf(at instanceof Element ? at : at?.parentElement)
}

function regionOf(element: Element | null | undefined) {
  const region = element?.closest<HTMLElement>(REGIONS)
  if (region) makeFocusable(region)
  return region ?? undefined
}

function makeFocusable(element: HTMLElement) {
  if (element.hasAttribute('tabindex')) return
  element.tabIndex = -1
  // Otherwise a click into it would focus it.
  element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
}

/** Focuses a part of the page in which keys do nothing, such as the row of a pressed button that is about to disappear. */
export function focusPart(part: HTMLElement) {
  makeFocusable(part)
  part.focus({ preventScroll: true })
}

function movedRow(element: HTMLElement) {
  const id = element.closest<HTMLElement>('[data-row]')?.dataset['row']
  const row = id && document.querySelector(`[data-row="${CSS.escape(id)}"]`)
  return row ? controlsOf(row).find(isUsable) : undefined
}

function beside(element: HTMLElement) {
  if (element.isConnected) return within(element.parentNode, element.previousElementSibling)
  // The topmost removed ancestor, then the one that it was removed from, if that is gone as well.
  for (let at: Node = element; ; ) {
    const top = topOf(at)
    const place = places.get(top)
    // The code that closes a popup decides where the focus goes.
    if (!place || isPopup(top)) return undefined
    const control = besideRow(top, place, element)
    if (control) return control
    if (place.parent.isConnected) return within(place.parent, place.previous)
    at = place.parent
  }
}

function topOf(node: Node) {
  let top = node
  while (top.parentNode) top = top.parentNode
  return top
}

const isPopup = (node: Node) => node instanceof Element && node.matches('[data-base-ui-portal]')

/** The same control in the next row that has it, or in the row before. */
function besideRow(gone: Node, place: Place, element: HTMLElement) {
  if (!(gone instanceof HTMLLIElement)) return undefined
  const before = controlsOf(gone)
  for (const direction of ['next', 'previous'] as const) {
    for (
      let row: Element | null | undefined = remaining(place[direction], direction);
      row;
      row = row[`${direction}ElementSibling`]
    ) {
      const controls = controlsOf(row)
      const same = controls.length === before.length ? controls[before.indexOf(element)] : undefined
      const target = [same, ...controls].find((control) => control && isUsable(control))
      if (target) return target
    }
  }
  return undefined
}

function remaining(sibling: Element | undefined, direction: 'next' | 'previous') {
  let at: Element | null | undefined = sibling
  while (at && !at.isConnected) at = places.get(at)?.[direction]
  return at
}

/** The nearest control of the area, preferably one before the place. A message gets the focus itself. */
function within(parent: Node | null, previous: Element | null | undefined): HTMLElement | undefined {
  const around = parent instanceof Element ? parent : parent?.parentElement
  const area = around?.closest<HTMLElement>(AREAS)
  if (!around || !area) return undefined
  if (area.localName === 'article') return area
  const before = previous?.isConnected ? previous : undefined
  const isBefore = (control: HTMLElement) =>
    before?.contains(control) ||
    ((before ?? around).compareDocumentPosition(control) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
  const controls = controlsOf(area).filter(isUsable)
  const nearest = controls.findLast(isBefore) ?? controls[0]
  if (nearest) return nearest
  if (area.localName !== 'li') return area
  return within(area.parentNode, area.previousElementSibling) ?? regionOf(area)
}
