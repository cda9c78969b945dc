import { type PointerEvent, useState } from 'react'

let release: (() => void) | undefined

/**
 * Whether a mouse points at a row, and the handlers that tell it. What is under a mouse may be taken away or replaced,
 * and then nothing says that it was left: so the row that is pointed at now releases the one before.
 */
export function usePointedAt() {
  const [isPointedAt, setPointedAt] = useState(false)
  const [leave] = useState(() => () => setPointedAt(false))

  function onPointerOver({ pointerType }: PointerEvent) {
    if (pointerType === 'touch') return
    if (release !== leave) release?.()
    release = leave
    setPointedAt(true)
  }

  return { isPointedAt, handlers: { onPointerOver, onPointerLeave: leave } }
}
