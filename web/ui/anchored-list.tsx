import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useReducer,
  useRef,
} from 'react'

export interface AnchoredRow {
  key: string
  /** Whether its key survives when rows are put in front: true for content, false for what stands between. */
  anchorable: boolean
}

export interface AnchoredListHandle {
  scrollToBottom(): void
  focus(): void
}

interface Props<T extends AnchoredRow> {
  rows: readonly T[]
  renderRow: (row: T) => ReactNode
  /** Height in px of a row that was not measured yet. */
  estimate: (row: T) => number
  /** Called while the reader is near the first row, again after each change of the rows: guard against repeats. */
  onNearTop: () => void
  onAtBottomChange?: (atBottom: boolean) => void
  label: string
  /** Where rows stand that do not fill the view; at its bottom unless said. */
  fewAt?: 'top' | 'bottom'
  ref?: Ref<AnchoredListHandle>
}

/** Pixels from the end that still count as "at the bottom", and from the start as "near the top". */
const AT_END = 4
const NEAR_TOP = 400

/**
 * A virtualised list that grows at both ends and does not move under the reader's eyes: it opens at its end, stays
 * there while the reader is there, and otherwise keeps the row at the top of the view in its place, whatever is put in
 * front, taken away or changes its height. docs/decisions/0003 tells what was measured.
 */
export function AnchoredList<T extends AnchoredRow>(props: Props<T>) {
  const { rows, renderRow, estimate, onNearTop, onAtBottomChange, label, fewAt = 'bottom', ref } = props
  const scroller = useRef<HTMLDivElement>(null)
  const atBottom = useRef(true)
  const { virtualizer, saveAnchor } = useAnchor(rows, estimate, scroller, atBottom)

  const latest = useRef({ onNearTop, onAtBottomChange })
  useEffect(() => {
    latest.current = { onNearTop, onAtBottomChange }
  })
  const noteAtBottom = useCallback((isAtBottom: boolean) => {
    if (isAtBottom === atBottom.current) return
    atBottom.current = isAtBottom
    latest.current.onAtBottomChange?.(isAtBottom)
  }, [])

  useImperativeHandle(ref, () => ({
    scrollToBottom: () => {
      noteAtBottom(true)
      virtualizer.scrollToEnd()
    },
    focus: () => scroller.current?.focus({ preventScroll: true }),
  }))

  // Registered after the virtualizer's own listener, so that its offset is the new one here. React's would come first.
  useLayoutEffect(() => {
    const element = scroller.current as HTMLDivElement
    const onScroll = () => {
      noteAtBottom(element.scrollHeight - element.scrollTop - element.clientHeight <= AT_END)
      saveAnchor.current()
      if (element.scrollTop < NEAR_TOP) latest.current.onNearTop()
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    const letGo = keepBottomOnResize(element, atBottom)
    return () => {
      element.removeEventListener('scroll', onScroll)
      letGo()
    }
  }, [saveAnchor, noteAtBottom])

  // Still near the top after a page came, or shorter than the view: no scroll will tell.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again whenever the rows change
  useEffect(() => {
    if ((scroller.current?.scrollTop ?? NEAR_TOP) < NEAR_TOP) latest.current.onNearTop()
  }, [rows])

  return (
    <section
      ref={scroller}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
    >
      {fewAt === 'bottom' && <div className="grow" />}
      <div className="relative flex-none" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            data-index={index}
            ref={virtualizer.measureElement}
            className="absolute top-0 left-0 w-full"
            style={{ transform: `translateY(${start}px)` }}
          >
            {renderRow(rows[index] as T)}
          </div>
        ))}
      </div>
    </section>
  )
}

/** The virtualizer, and the row by whose bottom edge the view is held; the library's own anchor may be a divider. */
function useAnchor<T extends AnchoredRow>(
  rows: readonly T[],
  estimate: (row: T) => number,
  scroller: { current: HTMLDivElement | null },
  atBottom: { current: boolean },
) {
  'use no memo'
  const committed = useRef(rows)
  const anchor = useRef<{ key: string; below: number }>(undefined)
  const held = useRef<string>(undefined)
  const [, rerender] = useReducer((count: number) => count + 1, 0)

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => (rows[index] as T).key,
    estimateSize: (index) => estimate(rows[index] as T),
    overscan: 6,
    paddingEnd: 12,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: AT_END,
    onChange: () => saveAnchor.current(),
  })
  // By itself the library skips late changes of height above the view while the reader scrolls up.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (item, _, instance) => {
    const offset = instance.scrollOffset ?? 0
    const isAbove = item.end <= offset + 1 || (!instance.itemSizeCache.has(item.key) && item.start < offset)
    return isAbove || item.key === held.current
  }

  const saveAnchor = useRef(() => {})
  saveAnchor.current = () => {
    const saved = anchorAt(virtualizer, committed.current)
    if (saved) anchor.current = saved
  }

  useLayoutEffect(() => virtualizer.scrollToEnd(), [virtualizer])

  // biome-ignore lint/correctness/useExhaustiveDependencies: hold() works on the rows of this very render
  useLayoutEffect(() => {
    const changed = committed.current !== rows
    committed.current = rows
    if (changed && atBottom.current && !virtualizer.isAtEnd(1)) virtualizer.scrollToEnd()
    if (changed && !atBottom.current && anchor.current) hold(anchor.current)
    saveAnchor.current()
  }, [rows, virtualizer, atBottom])

  function hold({ key, below }: { key: string; below: number }) {
    virtualizer.getTotalSize() // takes in the heights measured in this commit
    const index = rows.findIndex((row) => row.key === key)
    const item = virtualizer.measurementsCache[index]
    if (!item) return
    held.current = key
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        held.current = undefined
      }),
    )
    const wanted = Math.max(0, item.end - below)
    if (Math.abs(wanted - (virtualizer.scrollOffset ?? 0)) <= 0.5) return
    // Not scrollToOffset(): it suspends the compensation of heights until its scroll event has come.
    virtualizer.scrollOffset = wanted
    if (scroller.current) scroller.current.scrollTop = wanted
    rerender()
  }

  return { virtualizer, saveAnchor }
}

/** The first anchorable row that crosses the top of the view, and how far its bottom edge lies below that. */
function anchorAt(virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>, rows: readonly AnchoredRow[]) {
  const { scrollOffset: offset, measurementsCache: items } = virtualizer
  if (offset === null || rows.length === 0) return undefined
  let index = virtualizer.getVirtualItemForOffset(offset)?.index ?? 0
  while (index < rows.length - 1 && (!rows[index]?.anchorable || (items[index]?.end ?? 0) <= offset)) index++
  const item = items[index]
  // In the middle of a commit the two do not match: the anchor before it holds.
  return item && rows[index]?.key === item.key ? { key: String(item.key), below: item.end - offset } : undefined
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
