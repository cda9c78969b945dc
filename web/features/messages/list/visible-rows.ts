import { useCallback, useEffect, useRef, useState } from 'react'
import type { ListView } from '../../../ui/list/anchored-list.tsx'
import type { ListItem } from './list-items.ts'
import { useIsPageFocused } from './window-focus.ts'

/**
 * Tracks which messages are on screen: reports the last one while the page has the focus, and whether the reader skipped
 * unread ones.
 */
export function useVisibleRows(rows: readonly ListItem[], newFrom: number | undefined, onSeen: (seq: number) => void) {
  const isPageFocused = useIsPageFocused()
  const shown = useRef({ first: 0, last: 0 })
  /** How far the reader got from the unread divider without skipping any. */
  const through = useRef({ newFrom, to: before(newFrom) })
  const [isSkipped, setSkipped] = useState(false)

  const note = useCallback(() => {
    const { first, last } = shown.current
    if (first === 0 || !isPageFocused) return
    if (last > 0) onSeen(last)
    const isSame = through.current.newFrom === newFrom
    const to = isSame ? through.current.to : before(newFrom)
    through.current = { newFrom, to: first <= to + 1 ? Math.max(to, last) : to }
    setSkipped(newFrom !== undefined && first > through.current.to + 1)
  }, [isPageFocused, newFrom, onSeen])

  // The page has the focus again, or the divider moved: what is on screen is seen now.
  useEffect(note, [note])

  const onView = useCallback(
    ({ first, last }: ListView) => {
      const seqs = rows.slice(first, last + 1).flatMap((row) => (row.kind === 'message' ? [row.message.seq] : []))
      if (seqs.length === 0) return
      shown.current = { first: seqs[0] as number, last: seqs.at(-1) as number }
      note()
    },
    [rows, note],
  )
  return { onView, isSkipped }
}

const before = (newFrom = 1) => newFrom - 1
