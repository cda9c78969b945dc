import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'

export interface AnchoredRow {
  key: string
  /** Whether its key is stable when rows are inserted before it: true for content, false for dividers. */
  anchorable: boolean
}

/**
 * A row and where in the view to scroll it: near the top, to the middle, to the end of the list, the shortest way into
 * view, or with its bottom edge this many px below the top.
 */
export interface ScrollTarget {
  key: string
  at: 'start' | 'middle' | 'end' | 'nearest' | number
}

/** This close to the end counts as "at the bottom". */
export const END_TOLERANCE_PX = 4
/** The space above a row that is scrolled to the top. */
const HEADROOM_PX = 96
/** How long a row is held at its target while the rows around it are measured. */
const SETTLE_MS = 400
/** Rows rendered beyond each edge of the view, only after a delay: the rows in view appear sooner. */
const OVERSCAN_ROWS = 6
const OVERSCAN_DELAY_MS = 100

type List = Virtualizer<HTMLDivElement, HTMLDivElement>

interface Options<T extends AnchoredRow> {
  rows: readonly T[]
  estimate: (row: T) => number
  scroller: { current: HTMLDivElement | null }
  isWhole: boolean
  start: ScrollTarget | undefined
  atBottom: { current: boolean }
  noteAtBottom: (isAtBottom: boolean) => void
  onMove: () => void
}

/** The virtualizer, anchored to the bottom edge of a row of content; the library's own anchor may be a divider. */
export function useAnchor<T extends AnchoredRow>(options: Options<T>) {
  'use no memo'
  const { rows, estimate, scroller, isWhole, start, atBottom, noteAtBottom, onMove } = options
  const committed = useRef({ rows, isWhole })
  const anchor = useRef<{ key: string; below: number; index: number }>(undefined)
  /** The index of a row that must not move while new rows above it are measured. */
  const heldIndex = useRef(-1)
  const target = useRef(start ?? endOf(rows))
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  const [overscan, setOverscan] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setOverscan(OVERSCAN_ROWS), OVERSCAN_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => (rows[index] as T).key,
    estimateSize: (index) => estimate(rows[index] as T),
    overscan,
    paddingEnd: 12,
    anchorTo: 'end',
    scrollEndThreshold: END_TOLERANCE_PX,
    onChange: () => saveAnchor.current(),
  })
  // By default the library ignores late changes of height above the view while the reader scrolls up.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (item, _, instance) => {
    const offset = instance.scrollOffset ?? 0
    const isNew = !instance.itemSizeCache.has(item.key)
    // A fast wheel brings unmeasured rows into view: they grow away from the measured ones, except at the very top,
    // where the view stays.
    const isAboveAnchor = item.start < offset || (offset > 0 && item.index < (anchor.current?.index ?? 0))
    return item.end <= offset + 1 || (isNew && isAboveAnchor) || item.index <= heldIndex.current
  }

  const saveAnchor = useRef(() => {})
  saveAnchor.current = () => {
    const saved = anchorAt(virtualizer, committed.current.rows)
    if (saved) anchor.current = saved
    onMove()
  }

  const lastTop = useRef(0)
  const onScroll = useRef(() => {})
  onScroll.current = () => {
    const top = scroller.current?.scrollTop ?? 0
    const isUp = top < lastTop.current
    lastTop.current = top
    if (!target.current) {
      const isAtBottom = committed.current.isWhole && isAtEnd(scroller.current)
      // Only scrolling up leaves the bottom. Otherwise rows were added faster than scroll events arrived.
      if (isAtBottom || isUp || !atBottom.current) noteAtBottom(isAtBottom)
      else target.current = endOf(committed.current.rows)
      if (target.current) approach(target.current)
    }
    saveAnchor.current()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: hold() works on the rows of this very render
  useLayoutEffect(() => {
    const { rows: before, isWhole: wasWhole } = committed.current
    committed.current = { rows, isWhole }
    if (rows !== before && !target.current) {
      if (!atBottom.current && anchor.current) hold(anchor.current)
      else if (atBottom.current) target.current = endOf(rows)
    }
    if (!isWhole) noteAtBottom(false)
    else if (!wasWhole && !target.current) noteAtBottom(isAtEnd(scroller.current))
    saveAnchor.current()
  }, [rows, isWhole, virtualizer, atBottom])

  // Each render measures rows, which moves the target. It settles before the first paint.
  useLayoutEffect(() => {
    if (target.current) approach(target.current)
  })
  useEffect(() => () => clearTimeout(settling.current), [])

  const endSettling = useCallback(() => {
    clearTimeout(settling.current)
    settling.current = undefined
    target.current = undefined
  }, [])

  function approach({ key, at }: ScrollTarget) {
    const element = scroller.current
    virtualizer.getTotalSize() // applies the heights measured in this commit
    const item = virtualizer.measurementsCache[committed.current.rows.findIndex((row) => row.key === key)]
    if (!element || !item || item.key !== key) return
    settling.current ??= setTimeout(endSettling, SETTLE_MS)
    const maxOffset = Math.max(0, virtualizer.getTotalSize() - element.clientHeight)
    const offset = virtualizer.scrollOffset ?? 0
    const targetOffset = Math.min(maxOffset, Math.max(0, offsetFor(item, at, offset, element.clientHeight)))
    scrollTo(targetOffset)
    if (Math.abs(element.scrollTop - targetOffset) > 1) element.scrollTop = targetOffset
    noteAtBottom(committed.current.isWhole && targetOffset >= maxOffset - END_TOLERANCE_PX)
  }

  function show(next: ScrollTarget) {
    endSettling()
    target.current = next
    approach(next)
  }

  function hold({ key, below }: { key: string; below: number }) {
    virtualizer.getTotalSize() // applies the heights measured in this commit
    const index = rows.findIndex((row) => row.key === key)
    const item = virtualizer.measurementsCache[index]
    if (!item) return
    heldIndex.current = index
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        heldIndex.current = -1
      }),
    )
    scrollTo(Math.max(0, item.end - below))
  }

  function scrollTo(top: number) {
    if (Math.abs(top - (virtualizer.scrollOffset ?? 0)) <= 0.5) return
    // Not scrollToOffset(), which suspends the compensation of heights until its scroll event.
    virtualizer.scrollOffset = top
    if (scroller.current) scroller.current.scrollTop = top
    rerender()
  }

  const position = () => anchor.current && { key: anchor.current.key, at: anchor.current.below }
  // Any input of the user ends the settling.
  const interruptions = {
    onWheel: endSettling,
    onTouchStart: endSettling,
    onPointerDown: endSettling,
    onKeyDown: endSettling,
  }
  return { virtualizer, onScroll, show, position, interruptions }
}

/** Used instead of the library's scrollToEnd(), which gives up if rows turn out taller during a scroll. */
export const endOf = (rows: readonly AnchoredRow[]): ScrollTarget | undefined => {
  const last = rows.at(-1)
  return last && { key: last.key, at: 'end' }
}

function offsetFor(item: { start: number; end: number }, at: ScrollTarget['at'], offset: number, height: number) {
  if (at === 'start') return item.start - HEADROOM_PX
  if (at === 'middle') return (item.start + item.end - height) / 2
  if (at === 'end') return Number.POSITIVE_INFINITY
  if (at !== 'nearest') return item.end - at
  if (item.start < offset) return item.start - HEADROOM_PX
  return item.end > offset + height ? item.end - height : offset
}

const isAtEnd = (element: HTMLElement | null) =>
  element !== null && element.scrollHeight - element.scrollTop - element.clientHeight <= END_TOLERANCE_PX

/** The first anchorable row in view, a measured one if possible, and how far its bottom edge is below the view's top. */
function anchorAt(virtualizer: List, rows: readonly AnchoredRow[]) {
  const { scrollOffset: offset, measurementsCache: items, itemSizeCache, scrollRect } = virtualizer
  if (offset === null || rows.length === 0) return undefined
  let index = virtualizer.getVirtualItemForOffset(offset)?.index ?? 0
  while (index < rows.length - 1 && (!rows[index]?.anchorable || (items[index]?.end ?? 0) <= offset)) index++
  let measured = index
  while (measured < rows.length - 1 && !(rows[measured]?.anchorable && itemSizeCache.has(rows[measured]?.key ?? '')))
    measured++
  const isInView = (items[measured]?.start ?? 0) < offset + (scrollRect?.height ?? 0)
  if (isInView) index = measured
  const item = items[index]
  // In the middle of a commit the two may not match; the previous anchor stays then.
  return item && rows[index]?.key === item.key ? { key: String(item.key), below: item.end - offset, index } : undefined
}
