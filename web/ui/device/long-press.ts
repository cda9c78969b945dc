import { type MouseEvent, type PointerEvent, type TouchEvent, useEffect, useRef } from 'react'

/** Slightly less than the delay after which phones select text. */
const LONG_PRESS_MS = 450
/** How far a finger may move. */
const MOVE_TOLERANCE_PX = 8

/** Detects a long press on an element, but not on a control within it. Returns the element's handlers. */
export function useLongPress(onLongPress: (pressed: HTMLElement) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const press = useRef({ x: 0, y: 0, isTouch: false, isLong: false })
  const end = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])

  return {
    onPointerDown({
      pointerType,
      isPrimary,
      clientX: x,
      clientY: y,
      target,
      currentTarget,
    }: PointerEvent<HTMLElement>) {
      end()
      press.current = { x, y, isTouch: pointerType === 'touch', isLong: false }
      if (pointerType !== 'touch' || !isPrimary || !isPressable(target as Element, currentTarget)) return
      timer.current = setTimeout(() => {
        press.current.isLong = true
        onLongPress(currentTarget)
      }, LONG_PRESS_MS)
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const { x, y } = press.current
      if (Math.hypot(clientX - x, clientY - y) > MOVE_TOLERANCE_PX) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu(event: MouseEvent) {
      const { isTouch } = press.current
      if (isTouch && isPressable(event.target as Element, event.currentTarget)) event.preventDefault()
    },
    // Otherwise the browser sends a click to whatever the long press opened under the finger.
    onTouchEnd(event: TouchEvent) {
      if (press.current.isLong) event.preventDefault()
    },
  }
}

function isPressable(target: Element, pressed: Element) {
  // React events also bubble from portals, which are outside the element.
  if (!pressed.contains(target)) return false
  // A row's name is a control for a tap only.
  const control = target.closest('a, button:not([data-person]), input, textarea')
  return control === null || control === pressed || control.contains(pressed)
}
