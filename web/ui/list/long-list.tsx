import { type ReactNode, useEffect, useRef, useState } from 'react'
import { bringIntoView, useRowsInView } from './rows-in-view.ts'

interface Props<T extends { id: string }> {
  rows: readonly T[]
  renderRow: (row: T) => ReactNode
  /** The row of the open page. */
  openId: string | undefined
  /** Kinds of rows that are looked for from elsewhere: of each, the next one beyond either edge of the view is there. */
  sought?: readonly ((row: T) => boolean)[]
}

/** So many rows are all drawn: a browser finds words in them, and more would burden the page. */
const MAX_UNWINDOWED_ROWS = 150

/**
 * Rows of one height (`--row`) within something that scrolls. Of a long list those about the view are drawn, and those
 * that keyboard and screen reader go to from anywhere: the first and the last, the open one, and the one that has the
 * focus with its neighbours.
 */
export function LongList<T extends { id: string }>({ rows, renderRow, openId, sought = [] }: Props<T>) {
  const list = useRef<HTMLUListElement>(null)
  const isLong = rows.length > MAX_UNWINDOWED_ROWS
  const view = useRowsInView(list, isLong ? rows.length : 0)
  const [focusedId, setFocused] = useState<string>()

  const isThere = openId !== undefined && rows.some(({ id }) => id === openId)
  useEffect(() => {
    if (isThere) bringIntoView(list.current?.querySelector(`[data-row="${openId}"]`))
  }, [isThere, openId])

  const drawn = isLong ? within(rows, view, openId, focusedId, sought) : rows.keys()
  return (
    <ul
      ref={list}
      className="relative"
      style={isLong ? { height: `calc(var(--row) * ${rows.length})` } : undefined}
      onFocus={({ target }) => setFocused(target.closest('li')?.dataset['row'])}
    >
      {Array.from(drawn, (at) => {
        const row = rows[at] as T
        const place = isLong && {
          'aria-posinset': at + 1,
          'aria-setsize': rows.length,
          className: 'absolute inset-x-0',
          style: { top: `calc(var(--row) * ${at})` },
        }
        return (
          <li key={row.id} data-row={row.id} {...place}>
            {renderRow(row)}
          </li>
        )
      })}
    </ul>
  )
}

/** The indices of the rows that are drawn, in their order. */
function within<T extends { id: string }>(
  rows: readonly T[],
  { first, last }: { first: number; last: number },
  openId: string | undefined,
  focusedId: string | undefined,
  sought: readonly ((row: T) => boolean)[],
) {
  const drawn = new Set([0, rows.length - 1])
  for (let at = first; at <= last; at++) drawn.add(at)
  rows.forEach(({ id }, at) => {
    if (id === openId) drawn.add(at)
    if (id === focusedId) for (const near of [at - 1, at, at + 1]) drawn.add(near)
  })
  for (const fits of sought) {
    drawn.add(rows.findLastIndex((row, at) => at < first && fits(row)))
    drawn.add(rows.findIndex((row, at) => at > last && fits(row)))
  }
  return [...drawn].filter((at) => at >= 0 && at < rows.length).sort((a, b) => a - b)
}
