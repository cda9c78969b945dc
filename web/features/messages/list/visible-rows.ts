import { useCallback, useEffect, useRef, useState } from 'react'
import type { ListView } from '../../../ui/list/anchored-list.tsx'
import type { Row } from './list-items.ts'
import { useIsLooking } from './window-focus.ts'

/**
 * Follows what is on screen: tells how far it was, while somebody looks at the page; and whether the reader left out
 * something of what is new to them.
 */
export function useRowsSeen(rows: readonly Row[], newFrom: number | undefined, onSeen: (seq: number) => void) {
  const isLooking = useIsLooking()
  const shown = useRef({ first: 0, last: 0 })
  /** How far it was on screen without a gap, from the divider on. */
  const through = useRef({ newFrom, to: before(newFrom) })
  const [isSkipped, setSkipped] = useState(false)

  const note = useCallback(() => {
    const { first, last } = shown.current
    if (first === 0 || !isLooking) return
    if (last > 0) onSeen(last)
    const isSame = through.current.newFrom === newFrom
    const to = isSame ? through.current.to : before(newFrom)
    through.current = { newFrom, to: first <= to + 1 ? Math.max(to, last) : to }
    setSkipped(newFrom !== undefined && first > through.current.to + 1)
  }, [isLooking, newFrom, onSeen])

  // Somebody looks again, or the place that begins the new ones moved: what is on screen is seen now.
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
