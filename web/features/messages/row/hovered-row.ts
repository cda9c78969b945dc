import { type PointerEvent, useState } from 'react'

let release: (() => void) | undefined

/**
 * Tracks whether a mouse is over a row. A row may be removed or replaced under the mouse without a leave event, so the
 * row that is entered next also ends the hover of the previous one.
 */
export function useHoveredRow() {
  const [isHovered, setHovered] = useState(false)
  const [leave] = useState(() => () => setHovered(false))

  function onPointerOver({ pointerType }: PointerEvent) {
    if (pointerType === 'touch') return
    if (release !== leave) release?.()
    release = leave
    setHovered(true)
  }

  return { isHovered, handlers: { onPointerOver, onPointerLeave: leave } }
}
