import { useEffect, useEffectEvent } from 'react'
import { isComposing } from '../input/is-composing.ts'

/** In order of precedence: overlays, side panels, the page itself. In one layer the latest handler comes first. */
const layers = ['over', 'beside', 'page'] as const
type Layer = (typeof layers)[number]

const handlers: { layer: Layer; act: () => void }[] = []
/** Whether a dialog, a menu or a list was open when the key was pressed: they handle it themselves. */
let isPopupOpen = false

/**
 * Handles Escape while the component is mounted. One press does one thing: it runs one handler of the first layer that
 * has one, unless the focused element has handled it, such as a message being edited.
 */
export function useEscape(layer: Layer, onEscape: () => void, isActive = true) {
  const act = useEffectEvent(onEscape)
  useEffect(() => {
    if (!isActive) return
    const handler = { layer, act: () => act() }
    if (handlers.length === 0) {
      window.addEventListener('keydown', checkPopups, true)
      window.addEventListener('keydown', handleEscape)
    }
    handlers.push(handler)
    return () => {
      handlers.splice(handlers.indexOf(handler), 1)
      if (handlers.length > 0) return
      window.removeEventListener('keydown', checkPopups, true)
      window.removeEventListener('keydown', handleEscape)
    }
  }, [layer, isActive])
}

/** Before any popup handles the key and closes. */
function checkPopups({ key }: KeyboardEvent) {
  if (key !== 'Escape') return
  isPopupOpen = document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null
}

function handleEscape(event: KeyboardEvent) {
  const { key, defaultPrevented, repeat, ctrlKey, metaKey, altKey, shiftKey } = event
  if (key !== 'Escape' || isPopupOpen || defaultPrevented || isComposing(event) || repeat) return
  if (ctrlKey || metaKey || altKey || shiftKey) return
  const [first] = layers.flatMap((layer) => handlers.findLast((handler) => handler.layer === layer) ?? [])
  if (!first) return
  event.preventDefault()
  first.act()
}
