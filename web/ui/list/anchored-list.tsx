import {
  Fragment,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import { usePrinting } from '../device/printing.ts'
import { type AnchoredRow, END_TOLERANCE_PX, endOf, type ScrollTarget, useAnchor } from './list-anchor.ts'

export interface AnchoredListHandle {
  scrollToBottom: () => void
  /** Scrolls a row to a position; if it is not loaded yet, as soon as it is. */
  show: (target: ScrollTarget) => void
  /** The row that anchors the view, and its position; undefined at the bottom. */
  position: () => { key: string; at: number } | undefined
  focus: () => void
}

/** Indices of rows in view: the first that is partly visible, and the last whose end is visible. */
export interface ListView {
  first: number
  last: number
}

interface Props<T extends AnchoredRow> {
  rows: readonly T[]
  renderRow: (row: T) => ReactNode
  /** Height in px of a row that has not been measured yet. */
  estimate: (row: T) => number
  /** Called while the first row is near, again after each change of the rows: guard against repeats. */
  onNearTop: () => void
  /** The same for the last row, if the list is not whole. */
  onNearBottom?: () => void
  /** Whether the last row is the end, where the view stays as rows are added. */
  isWhole?: boolean
  onAtBottomChange?: (atBottom: boolean) => void
  /** Called when the rows in view may have changed. */
  onView?: (view: ListView) => void
  label: string
  /** Where it opens; by default at its end. */
  start?: ScrollTarget | undefined
  /** The alignment of rows that do not fill the view. */
  fewAt?: 'top' | 'bottom'
  ref?: Ref<AnchoredListHandle>
}

/** The distance from an end at which more rows are requested. */
const NEAR_PX = 1000

/**
 * A virtualized list that grows at both ends without moving what the reader sees. It opens at its end or at a row, stays
 * at the end while the reader is there, and otherwise holds the row at the top of the view in place, whatever is
 * inserted, removed or changes its height. docs/decisions/0003 has the measurements.
 */
export function AnchoredList<T extends AnchoredRow>(props: Props<T>) {
  const { rows, renderRow, estimate, label, start, fewAt = 'bottom', isWhole = true, ref } = props
  const scroller = useRef<HTMLDivElement>(null)
  const atBottom = useRef(true)
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })

  const noteAtBottom = useCallback((isAtBottom: boolean) => {
    if (isAtBottom === atBottom.current) return
    atBottom.current = isAtBottom
    latest.current.onAtBottomChange?.(isAtBottom)
  }, [])
  const anchor = useAnchor({ rows, estimate, scroller, isWhole, start, atBottom, noteAtBottom, onMove: noteView })
  const { virtualizer } = anchor
  const isPrinting = usePrinting()

  const frame = useRef(0)
  function noteView() {
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      const element = scroller.current
      // On a phone a thread may cover it.
      if (element?.checkVisibility({ visibilityProperty: true })) latest.current.onView?.(viewOf(virtualizer, element))
    })
  }
  useEffect(() => () => cancelAnimationFrame(frame.current), [])

  const showEnd = useRef(() => {})
  useLayoutEffect(() => {
    showEnd.current = () => {
      const end = endOf(rows)
      if (end) anchor.show(end)
    }
  })

  useImperativeHandle(ref, () => ({
    scrollToBottom: () => showEnd.current(),
    show: anchor.show,
    position: () => (atBottom.current ? undefined : anchor.position()),
    focus: () => scroller.current?.focus({ preventScroll: true }),
  }))

  const requestMore = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const { onNearTop, onNearBottom, isWhole: isAll = true } = latest.current
    if (element.scrollTop < NEAR_PX) onNearTop()
    if (!isAll && element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX) onNearBottom?.()
  }, [])

  // Registered after the virtualizer's own listener, which updates the offset. A React listener would run before it.
  const { onScroll } = anchor
  useLayoutEffect(() => {
    const element = scroller.current as HTMLDivElement
    const handleScroll = () => {
      onScroll.current()
      requestMore()
    }
    element.addEventListener('scroll', handleScroll, { passive: true })
    const stopObserving = keepBottomOnResize(element, atBottom, () => showEnd.current())
    return () => {
      element.removeEventListener('scroll', handleScroll)
      stopObserving()
    }
  }, [onScroll, requestMore])

  // After a page has loaded, an end may still be near, or the list shorter than the view, without a scroll event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked again whenever the rows change
  useEffect(() => requestMore(), [rows, isWhole])

  return (
    <section
      ref={scroller}
      aria-label={label}
      data-region=""
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
      tabIndex={0}
      {...anchor.interruptions}
      className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain scroll-pb-4 [overflow-anchor:none] focus-visible:-outline-offset-2"
    >
      {fewAt === 'bottom' && <div className="grow" />}
      <div className="relative flex-none print:hidden" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start: top }) => (
          <div
            key={key}
            data-index={index}
            ref={virtualizer.measureElement}
            className="absolute start-0 top-0 w-full"
            style={{ transform: `translateY(${top}px)` }}
          >
            {renderRow(rows[index] as T)}
          </div>
        ))}
      </div>
      <div className="list-end print:hidden" />
      {isPrinting && (
        <div className="hidden print:block">
          {rows.map((row) => (
            <Fragment key={row.key}>{renderRow(row)}</Fragment>
          ))}
        </div>
      )}
    </section>
  )
}

function viewOf(virtualizer: ReturnType<typeof useAnchor>['virtualizer'], element: HTMLElement): ListView {
  const top = element.scrollTop
  const bottom = top + element.clientHeight + END_TOLERANCE_PX
  const shown = virtualizer.getVirtualItems().filter((item) => item.end > top && item.start < bottom)
  const first = shown[0]?.index ?? 0
  // A row taller than the view counts as seen when it fills the view.
  const last = shown.findLast((item) => item.end <= bottom || (item.start <= top && shown.length === 1))
  return { first, last: last?.index ?? first - 1 }
}

/**
 * Stays at the bottom when the height changes (the composer grows, a keyboard opens), and when the width does (a phone is
 * turned), which remeasures every row. If the top edge moves, the rows stay in place.
 */
function keepBottomOnResize(element: HTMLElement, atBottom: { current: boolean }, showEnd: () => void) {
  const topOf = () => element.getBoundingClientRect().top
  let height = element.clientHeight
  let width = element.clientWidth
  let top = topOf()
  const observer = new ResizeObserver(() => {
    if (element.clientWidth !== width && atBottom.current) showEnd()
    width = element.clientWidth
    if (element.clientHeight === height) return
    height = element.clientHeight
    const before = top
    top = topOf()
    element.scrollTop = atBottom.current ? element.scrollHeight : element.scrollTop + top - before
  })
  observer.observe(element)
  return () => observer.disconnect()
}
