import { useCallback, useEffect, useRef, useState } from 'react'
import type { ListView } from '../../../ui/list/anchored-list.tsx'
import type { ChannelItem } from './list-items.ts'
import { useIsPageFocused } from './window-focus.ts'

/**
 * Tracks which messages are on screen: reports the last one while the page has the focus, and whether the user skipped
 * unread ones.
 */
export function useVisibleRows(
  rows: readonly ChannelItem[],
  newFrom: number | undefined,
  onSeen: (seq: number) => void,
) {
  const isPageFocused = useIsPageFocused()
  const shown = useRef({ first: 0, last: 0 })
  /** How far the user has read from the unread divider without skipping a message. */
  const readThrough = useRef({ newFrom, to: seqBefore(newFrom) })
  const [isSkipped, setSkipped] = useState(false)

  const update = useCallback(() => {
    const { first, last } = shown.current
    if (first === 0 || !isPageFocused) return
    if (last > 0) onSeen(last)
    const isSame = readThrough.current.newFrom === newFrom
    const to = isSame ? readThrough.current.to : seqBefore(newFrom)
    readThrough.current = { newFrom, to: first <= to + 1 ? Math.max(to, last) : to }
    setSkipped(newFrom !== undefined && first > readThrough.current.to + 1)
  }, [isPageFocused, newFrom, onSeen])

  // The page got the focus, or the divider moved: the messages on screen are seen now.
  useEffect(update, [update])

  const onView = useCallback(
    ({ first, last }: ListView) => {
      const seqs = rows.slice(first, last + 1).flatMap((row) => (row.kind === 'message' ? [row.message.seq] : []))
      if (seqs.length === 0) return
      shown.current = { first: seqs[0] as number, last: seqs.at(-1) as number }
      update()
    },
    [rows, update],
  )
  return { onView, isSkipped }
}

const seqBefore = (newFrom = 1) => newFrom - 1
