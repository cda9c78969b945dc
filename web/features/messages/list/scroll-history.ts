import { useEffect, useRef } from 'react'

/** Where the user left a list: a message and the distance of its bottom edge from the top of the view; or the list's end. */
export type ReadingPosition = { id: string; at: number } | 'end'

/** By the key of the browser's history entry that the user left, so that 'Back' leads there. */
const positions = new Map<string, ReadingPosition>()

export const hasPosition = (entry: string) => positions.has(entry)

/** Returns a position only once: after that the user has moved on. */
export function popPosition(entry: string) {
  const position = positions.get(entry)
  positions.delete(entry)
  return position
}

/** Saves the user's position when they go to another channel, or follow a link (`isLeaving`) within this one. */
export function usePositionTracking(entry: string, isLeaving: boolean) {
  const current = useRef<ReadingPosition>(undefined)
  const currentEntry = useRef(entry)
  useEffect(() => {
    if (currentEntry.current !== entry && isLeaving && current.current)
      positions.set(currentEntry.current, current.current)
    currentEntry.current = entry
  }, [entry, isLeaving])
  useEffect(
    () => () => {
      if (current.current && current.current !== 'end') positions.set(currentEntry.current, current.current)
    },
    [],
  )
  return {
    currentPosition: () => current.current,
    trackPosition: (position: ReadingPosition) => {
      current.current = position
    },
  }
}
