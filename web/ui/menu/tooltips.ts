import { isTouch } from '../device/media.ts'
import { createTooltipCard } from './tooltip-card.ts'

const DELAY_MS = 400
/** Within this time after one tooltip, the next one appears without delay. */
const WARM_MS = 300

const HAS_TOOLTIP = '[data-tip], [title]:not([title=""])'
/** Keys whose focus moves show tooltips. Focus returned by a dialog doesn't. */
const NAVIGATION = /^(Tab|Arrow|Home|End|Page|F6)/

/**
 * The tooltips of the whole page: for `data-tip`, with the key of `data-keys` as a cap, and for every `title`, replacing the
 * browser's own. They appear on hover and keyboard focus, and on touch only for a `tip` event. They stay while the pointer is
 * on them, until Escape, but give way to clickable elements below them. Screen readers get the same from the element's name
 * or description. Returns a function that stops them.
 */
export function startTooltips() {
  const tooltip = createTooltip()
  const listeners = new AbortController()
  const { signal } = listeners
  for (const [name, act] of Object.entries(pageHandlers(tooltip)))
    document.addEventListener(name, act as EventListener, { capture: true, passive: true, signal })
  const onTip = ({ target }: Event) => {
    tooltip.aim(anchorOf(target), 'pointer')
    tooltip.show()
  }
  document.addEventListener('tip', onTip, { signal })
  return () => {
    listeners.abort()
    tooltip.leave()
  }
}

type Cause = 'pointer' | 'focus'

/** The page's only tooltip, and its anchor. */
function createTooltip() {
  const card = createTooltipCard()
  const title = createTitleLoan()
  /** The hovered or focused element; its tooltip may be hidden again. */
  let anchor: HTMLElement | undefined
  let aimedBy: Cause = 'pointer'
  let timer: ReturnType<typeof setTimeout> | undefined
  let hiddenAt = Number.NEGATIVE_INFINITY
  const changes = new MutationObserver(follow)

  function aim(next: HTMLElement | null, by: Cause) {
    if (next === anchor || (!next && aimedBy !== by)) return
    leave()
    if (!next) return
    anchor = next
    aimedBy = by
    if (by === 'pointer') title.borrow(anchor)
    timer = setTimeout(show, performance.now() - hiddenAt < WARM_MS ? 0 : DELAY_MS)
  }

  function leave() {
    hide()
    if (anchor) title.giveBack(anchor)
    anchor = undefined
  }

  function show() {
    if (!anchor?.isConnected || anchor.ariaExpanded === 'true' || !card.write(anchor)) return
    card.showAt(anchor)
    changes.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['data-tip', 'data-keys', 'title', 'aria-expanded'],
    })
  }

  function hide() {
    clearTimeout(timer)
    changes.disconnect()
    if (!card.isShown()) return
    card.remove()
    hiddenAt = performance.now()
  }

  function follow() {
    if (!anchor?.isConnected || anchor.ariaExpanded === 'true') return hide()
    title.borrowAgain(anchor)
    if (card.write(anchor)) card.moveTo(anchor)
    else hide()
  }

  const isAimedAt = (element: HTMLElement | null) => element === anchor

  return { aim, leave, show, hide, isAimedAt, isShown: card.isShown, isAt: card.isAt }
}

/** Removes the `title` of an element while the browser must not show it. */
function createTitleLoan() {
  let borrowed: string | undefined

  /** An element with both a title and its own `data-tip` keeps both. */
  function borrow(anchor: HTMLElement) {
    if (!anchor.title || (anchor.dataset['tip'] !== undefined && borrowed === undefined)) return
    borrowed = anchor.title
    anchor.dataset['tip'] = borrowed
    anchor.removeAttribute('title')
  }

  /** The title may have changed since. */
  function borrowAgain(anchor: HTMLElement) {
    if (borrowed !== undefined) borrow(anchor)
  }

  function giveBack(anchor: HTMLElement) {
    if (borrowed === undefined) return
    delete anchor.dataset['tip']
    if (!anchor.title) anchor.title = borrowed
    borrowed = undefined
  }

  return { borrow, borrowAgain, giveBack }
}

type Handlers = { [Name in keyof DocumentEventMap]?: (event: DocumentEventMap[Name]) => void }

/** The effects of pointer and keys on the tooltip. */
function pageHandlers({ aim, hide, isAimedAt, isShown, isAt }: ReturnType<typeof createTooltip>): Handlers {
  let isNavigating = false
  /** Where the pointer is. */
  let last = { x: -1, y: -1 }
  /** Whether something came to lie under the resting pointer, such as when a dialog closed. */
  let isResting = false

  function point({ target, pointerType, clientX, clientY }: PointerEvent) {
    if (pointerType === 'touch') return
    isResting = false
    last = { x: clientX, y: clientY }
    if (!isAt(clientX, clientY) || isClickable(target)) aim(anchorOf(target), 'pointer')
  }

  return {
    pointerover: (event) => {
      isResting = event.clientX === last.x && event.clientY === last.y
      if (!isResting) point(event)
      else if (!isAimedAt(anchorOf(event.target))) aim(null, 'pointer')
    },
    // From the card back to the element below it, which the pointer never left.
    pointermove: (event) => {
      if (isShown() || isResting) point(event)
      last = { x: event.clientX, y: event.clientY }
    },
    pointerout: ({ relatedTarget }) => {
      if (!relatedTarget) aim(null, 'pointer')
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
      if (isNavigating && !isTouch() && target instanceof HTMLElement && target.matches(HAS_TOOLTIP))
        aim(target, 'focus')
    },
    focusout: () => aim(null, 'focus'),
    scroll: () => {
      if (isShown()) hide()
    },
  }
}

const isClickable = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a, button, input, textarea, select, [role="option"]') !== null

const anchorOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>(HAS_TOOLTIP) : null
