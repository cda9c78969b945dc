import { type ReactNode, useEffect, useRef, useState } from 'react'
import { bringIntoView, useRowsInView } from './rows-in-view.ts'

interface Props<T extends { id: string }> {
  rows: readonly T[]
  renderRow: (row: T) => ReactNode
  /** The row of the open page. */
  openId: string | undefined
  /** Kinds of rows that other code searches for: the next one of each beyond either edge of the view is also rendered. */
  sought?: readonly ((row: T) => boolean)[]
}

/** Up to this many rows are all rendered, so that the browser's own search finds them. */
const MAX_UNWINDOWED_ROWS = 150

/**
 * Rows of one height (`--row`) inside a scrolling element. A long list renders the rows around the view, and those that
 * keyboard and screen reader users reach from anywhere: the first and last, the open one, and the focused one with its
 * neighbours.
 */
export function LongList<T extends { id: string }>({ rows, renderRow, openId, sought = [] }: Props<T>) {
  const list = useRef<HTMLUListElement>(null)
  const isLong = rows.length > MAX_UNWINDOWED_ROWS
  const view = useRowsInView(list, isLong ? rows.length : 0)
  const [focusedId, setFocused] = useState<string>()

  const isListed = openId !== undefined && rows.some(({ id }) => id === openId)
  useEffect(() => {
    if (isListed) bringIntoView(list.current?.querySelector(`[data-row="${openId}"]`))
  }, [isListed, openId])

  const rendered = isLong ? renderedRows(rows, view, openId, focusedId, sought) : rows.keys()
  return (
    <ul
      ref={list}
      className="relative"
      style={isLong ? { height: `calc(var(--row) * ${rows.length})` } : undefined}
      onFocus={({ target }) => setFocused(target.closest('li')?.dataset['row'])}
    >
      {Array.from(rendered, (at) => {
        const row = rows[at] as T
        const position = isLong && {
          'aria-posinset': at + 1,
          'aria-setsize': rows.length,
          className: 'absolute inset-x-0',
          style: { top: `calc(var(--row) * ${at})` },
        }
        return (
          <li key={row.id} data-row={row.id} {...position}>
            {renderRow(row)}
          </li>
        )
      })}
    </ul>
  )
}

/** The indices of the rows to render, in order. */
function renderedRows<T extends { id: string }>(
  rows: readonly T[],
  { first, last }: { first: number; last: number },
  openId: string | undefined,
  focusedId: string | undefined,
  sought: readonly ((row: T) => boolean)[],
) {
  const indices = new Set([0, rows.length - 1])
  for (let at = first; at <= last; at++) indices.add(at)
  rows.forEach(({ id }, at) => {
    if (id === openId) indices.add(at)
    if (id === focusedId) for (const near of [at - 1, at, at + 1]) indices.add(near)
  })
  for (const matches of sought) {
    indices.add(rows.findLastIndex((row, at) => at < first && matches(row)))
    indices.add(rows.findIndex((row, at) => at > last && matches(row)))
  }
  return [...indices].filter((at) => at >= 0 && at < rows.length).sort((a, b) => a - b)
}
