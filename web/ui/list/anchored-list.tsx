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
import { type AnchoredRow, END_TOLERANCE_PX, endOf, type Target, useAnchor } from './list-anchor.ts'

export interface AnchoredListHandle {
  scrollToBottom: () => void
  /** Brings a row to its place; one that is not there yet, as soon as it comes. */
  show: (target: Target) => void
  /** The row that the view is held by; undefined at the bottom. */
  place: () => { key: string; at: number } | undefined
  focus: () => void
}

/** Rows in view, by their index: the first one of which anything is seen, the last one that is seen to its end. */
export interface ListView {
  first: number
  last: number
}

interface Props<T extends AnchoredRow> {
  rows: readonly T[]
  renderRow: (row: T) => ReactNode
  /** Height in px of a row that was not measured yet. */
  estimate: (row: T) => number
  /** Called while the reader is near the first row, again after each change of the rows: guard against repeats. */
  onNearTop: () => void
  /** The same for the last row, where that is not the end. */
  onNearBottom?: () => void
  /** Whether the last row is the end of all, at which a reader stays who is there. */
  isWhole?: boolean
  onAtBottomChange?: (atBottom: boolean) => void
  /** Called when other rows may be in view. */
  onView?: (view: ListView) => void
  label: string
  /** Where it opens; at its end unless said. */
  start?: Target | undefined
  /** Where rows stand that do not fill the view; at its bottom unless said. */
  fewAt?: 'top' | 'bottom'
  ref?: Ref<AnchoredListHandle>
}

/** Pixels from an end within which more is asked for. */
const NEAR = 1000

/**
 * A virtualised list that grows at both ends and does not move under the reader's eyes: it opens at its end or at a
 * row, stays at the end while the reader is there, and otherwise keeps the row at the top of the view in its place,
 * whatever is put in front, taken away or changes its height. docs/decisions/0003 tells what was measured.
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
      // A phone lays a thread over it.
      if (element?.checkVisibility({ visibilityProperty: true })) latest.current.onView?.(viewOf(virtualizer, element))
    })
  }
  useEffect(() => () => cancelAnimationFrame(frame.current), [])

  useImperativeHandle(ref, () => ({
    scrollToBottom: () => {
      const end = endOf(rows)
      if (end) anchor.show(end)
    },
    show: anchor.show,
    place: () => (atBottom.current ? undefined : anchor.place()),
    focus: () => scroller.current?.focus({ preventScroll: true }),
  }))

  const askForMore = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const { onNearTop, onNearBottom, isWhole: isAll = true } = latest.current
    if (element.scrollTop < NEAR) onNearTop()
    if (!isAll && element.scrollHeight - element.scrollTop - element.clientHeight < NEAR) onNearBottom?.()
  }, [])

  // Registered after the virtualizer's own listener, so that its offset is the new one here. React's would come first.
  const { onScroll } = anchor
  useLayoutEffect(() => {
    const element = scroller.current as HTMLDivElement
    const hear = () => {
      onScroll.current()
      askForMore()
    }
    element.addEventListener('scroll', hear, { passive: true })
    const letGo = keepBottomOnResize(element, atBottom)
    return () => {
      element.removeEventListener('scroll', hear)
      letGo()
    }
  }, [onScroll, askForMore])

  // Still near an end after a page came, or shorter than the view: no scroll will tell.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again whenever the rows change
  useEffect(() => askForMore(), [rows, isWhole])

  return (
    <section
      ref={scroller}
      aria-label={label}
      data-region=""
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      {...anchor.interruptions}
      className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
    >
      {fewAt === 'bottom' && <div className="grow" />}
      <div className="relative flex-none print:hidden" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start: top }) => (
          <div
            key={key}
            data-index={index}
            ref={virtualizer.measureElement}
            className="absolute top-0 left-0 w-full"
            style={{ transform: `translateY(${top}px)` }}
          >
            {renderRow(rows[index] as T)}
          </div>
        ))}
      </div>
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
  // One that is higher than the view is seen when it fills it.
  const last = shown.findLast((item) => item.end <= bottom || (item.start <= top && shown.length === 1))
  return { first, last: last?.index ?? first - 1 }
}

/** The composer grows, a keyboard opens: whoever was at the bottom stays there. Widths are the virtualizer's affair. */
function keepBottomOnResize(element: HTMLElement, atBottom: { current: boolean }) {
  let height = element.clientHeight
  const observer = new ResizeObserver(() => {
    if (element.clientHeight === height) return
    height = element.clientHeight
    if (atBottom.current) element.scrollTop = element.scrollHeight
  })
  observer.observe(element)
  return () => observer.disconnect()
}
