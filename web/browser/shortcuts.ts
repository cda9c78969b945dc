import { useEffect, useEffectEvent } from 'react'
import { isMod, MOD } from '../ui/device/modifier-key.ts'
import { isComposing } from '../ui/input/is-composing.ts'

export interface Keys {
  /** What is held together. */
  keys: readonly string[]
  /** Does the same where it arrives: some browsers have it for themselves. */
  or?: readonly string[]
  /** Never the browser's, also while something is open over the page; there they close what they opened. */
  always?: true
}

/** Keys that act anywhere in the workspace, whatever has the focus. */
export const shortcuts = {
  search: { keys: ['Mod', 'k'], always: true },
  searchHere: { keys: ['Mod', 'Shift', 'f'] },
  nextChannel: { keys: ['Alt', 'ArrowDown'] },
  previousChannel: { keys: ['Alt', 'ArrowUp'] },
  nextUnread: { keys: ['Alt', 'Shift', 'ArrowDown'] },
  previousUnread: { keys: ['Alt', 'Shift', 'ArrowUp'] },
  // In Chrome and Edge the second one opens a closed tab, and the page never hears of it.
  threads: { keys: ['Mod', 'Shift', 'h'], or: ['Mod', 'Shift', 't'] },
  panel: { keys: ['Mod', '.'] },
  nextRegion: { keys: ['F6'] },
  previousRegion: { keys: ['Shift', 'F6'] },
  readAll: { keys: ['Shift', 'Escape'] },
  sheet: { keys: ['Mod', '/'], always: true },
} as const satisfies Record<string, Keys>

export type Shortcut = keyof typeof shortcuts

const signs: Record<string, string> = {
  Mod: MOD,
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
  PageUp: 'Page Up',
}

/** How a key is written, as 'Esc'. */
export const keyLabel = (key: string) => signs[key] ?? (key.length === 1 ? key.toUpperCase() : key)

/** How the keys of a shortcut are written, as 'Shift+Esc'. */
export const shortcutLabel = (shortcut: Shortcut) => shortcuts[shortcut].keys.map(keyLabel).join('+')

/**
 * Does what the keys say, as long as the page that calls it stands. What is open over the page has its own keys: no
 * second dialog opens beside it, or Escape would close both.
 * @param isOpen whether what the keys open is open
 */
export function useShortcuts(acts: Partial<Record<Shortcut, () => void>>, isOpen = false) {
  const act = useEffectEvent((event: KeyboardEvent) => {
    if (isComposing(event)) return
    const pressed = pressedKeys(event)
    const name = shortcutOf(pressed)
    const does = name && acts[name]
    const isOver = isWithinPopup(event.target)
    if (!does || (isOver && !('always' in shortcuts[name]))) return
    // Nothing else takes it for its own part of the keys, as Escape.
    event.preventDefault()
    event.stopPropagation()
    if (!isOver || isOpen) does()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => act(event)
    window.addEventListener('keydown', listen, true)
    return () => window.removeEventListener('keydown', listen, true)
  }, [])
}

/** The shortcut of keys as `pressedIn` names them. */
export const shortcutOf = (pressed: string) =>
  (Object.keys(shortcuts) as Shortcut[]).find((name) => {
    const { keys, or }: Keys = shortcuts[name]
    return keys.join() === pressed || or?.join() === pressed
  })

type Pressed = Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'key' | 'code'>

/** What is held together, as the table writes it. */
export function pressedKeys(event: Pressed) {
  const { altKey, ctrlKey, metaKey, shiftKey } = event
  const key = keyOf(event)
  const mod = isMod(event)
  // Some keyboards have a sign, as the slash, above a digit.
  const isSign = key.length === 1 && !/[a-z]/.test(key)
  const held = { Mod: mod, Alt: altKey, Control: ctrlKey && !mod, Meta: metaKey && !mod, Shift: shiftKey && !isSign }
  return [
    ...Object.entries(held)
      .filter(([, isHeld]) => isHeld)
      .map(([name]) => name),
    key,
  ].join()
}

/** A letter is the same with the capitals locked; a keyboard of another script has it where the Latin one does. */
function keyOf({ key, code }: Pressed) {
  if (key.length > 1) return key
  const isForeign = /[^\x20-\x7e]/.test(key) && /^Key[A-Z]$/.test(code)
  return (isForeign ? code.slice(3) : key).toLowerCase()
}

const isWithinPopup = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null
