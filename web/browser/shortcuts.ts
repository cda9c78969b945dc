import { startTransition, useEffect, useEffectEvent } from 'react'
import { keyLabel } from '../ui/device/key-label.ts'
import { isMod } from '../ui/device/modifier-key.ts'
import { isComposing } from '../ui/input/is-composing.ts'

export interface Keys {
  /** The keys to press together. */
  keys: readonly string[]
  /** An alternative, which some browsers reserve for themselves. */
  or?: readonly string[]
  /** Also handled while a dialog is open: it closes what it opened, and never reaches the browser. */
  always?: true
}

/** Shortcuts that work anywhere in the workspace. */
export const shortcuts = {
  search: { keys: ['Mod', 'k'], always: true },
  searchHere: { keys: ['Mod', 'Shift', 'f'] },
  nextChannel: { keys: ['Alt', 'ArrowDown'] },
  previousChannel: { keys: ['Alt', 'ArrowUp'] },
  nextUnread: { keys: ['Alt', 'Shift', 'ArrowDown'] },
  previousUnread: { keys: ['Alt', 'Shift', 'ArrowUp'] },
  // Chrome and Edge reopen a closed tab with the second one, and send the page no event.
  threads: { keys: ['Mod', 'Shift', 'h'], or: ['Mod', 'Shift', 't'] },
  later: { keys: ['Mod', 'Shift', 'l'] },
  panel: { keys: ['Mod', '.'] },
  nextRegion: { keys: ['F6'] },
  previousRegion: { keys: ['Shift', 'F6'] },
  readAll: { keys: ['Shift', 'Escape'] },
  sheet: { keys: ['Mod', '/'], always: true },
} as const satisfies Record<string, Keys>

export type Shortcut = keyof typeof shortcuts

/** The label of a shortcut, such as 'Shift+Esc'. */
export const shortcutLabel = (shortcut: Shortcut) => shortcuts[shortcut].keys.map(keyLabel).join('+')

/**
 * Handles shortcuts while the component is mounted. With a popup open only those with `always` are handled, and they
 * open nothing: Escape would close both dialogs.
 * @param isOpen whether the dialog that the shortcuts open is open
 */
export function useShortcuts(actions: Partial<Record<Shortcut, () => void>>, isOpen = false) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (isComposing(event)) return
    const pressed = pressedKeys(event)
    const name = shortcutOf(pressed)
    const action = name && actions[name]
    const isInPopup = isWithinPopup(event.target)
    if (!action || (isInPopup && !('always' in shortcuts[name]))) return
    // Otherwise Shift+Escape would also be handled as Escape.
    event.preventDefault()
    event.stopPropagation()
    if (isInPopup && !isOpen) return
    // While a key is held down, the rendering of one step may be dropped for the next.
    if (event.repeat) startTransition(action)
    else action()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listen, true)
    return () => window.removeEventListener('keydown', listen, true)
  }, [])
}

/** The shortcut for keys in the format of `pressedKeys`. */
export const shortcutOf = (pressed: string) =>
  (Object.keys(shortcuts) as Shortcut[]).find((name) => {
    const { keys, or }: Keys = shortcuts[name]
    return keys.join() === pressed || or?.join() === pressed
  })

type Pressed = Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'key' | 'code'>

/** The pressed keys, in the format of the table joined by commas. */
export function pressedKeys(event: Pressed) {
  const { altKey, ctrlKey, metaKey, shiftKey } = event
  const key = keyOf(event)
  const mod = isMod(event)
  // Some keyboards type symbols such as the slash with Shift.
  const isSymbol = key.length === 1 && !/[a-z]/.test(key)
  const modifiers = {
    Mod: mod,
    Alt: altKey,
    Control: ctrlKey && !mod,
    Meta: metaKey && !mod,
    Shift: shiftKey && !isSymbol,
  }
  return [
    ...Object.entries(modifiers)
      .filter(([, isPressed]) => isPressed)
      .map(([name]) => name),
    key,
  ].join()
}

/** Ignores Caps Lock; on keyboards of other scripts uses the Latin letter at the same position. */
function keyOf({ key, code }: Pressed) {
  if (key.length > 1) return key
  const isOtherScript = /[^\x20-\x7e]/.test(key) && /^Key[A-Z]$/.test(code)
  return (isOtherScript ? code.slice(3) : key).toLowerCase()
}

const isWithinPopup = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null
