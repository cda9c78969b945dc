import { useEffect, useEffectEvent } from 'react'
import { isMod, MOD } from './ui/mod.ts'

interface Keys {
  /** What is held together. */
  keys: readonly string[]
  does: string
  /** Also over what is open over the page. */
  always?: true
}

/** Keys that act anywhere in the workspace, whatever has the focus. */
export const shortcuts = {
  search: { keys: ['Mod', 'k'], does: 'Search, and go anywhere', always: true },
  nextChannel: { keys: ['Alt', 'ArrowDown'], does: 'Next conversation' },
  previousChannel: { keys: ['Alt', 'ArrowUp'], does: 'Previous conversation' },
  nextUnread: { keys: ['Alt', 'Shift', 'ArrowDown'], does: 'Next unread conversation' },
  previousUnread: { keys: ['Alt', 'Shift', 'ArrowUp'], does: 'Previous unread conversation' },
  readAll: { keys: ['Shift', 'Escape'], does: 'Mark everything as read' },
} as const satisfies Record<string, Keys>

export type Shortcut = keyof typeof shortcuts

const signs: Record<string, string> = { Mod: MOD, k: 'K', ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' }

/** How the keys of a shortcut are written, as 'Shift+Esc'. */
export const writtenKeys = (shortcut: Shortcut) => shortcuts[shortcut].keys.map((key) => signs[key] ?? key).join('+')

/** Does what the keys say, as long as the page that calls it stands. What is open over the page has its own keys. */
export function useShortcuts(acts: Partial<Record<Shortcut, () => void>>) {
  const act = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing) return
    const pressed = pressedIn(event)
    const names = Object.keys(shortcuts) as Shortcut[]
    const name = names.find((name) => shortcuts[name].keys.join() === pressed)
    const does = name && acts[name]
    if (!does || (!('always' in shortcuts[name]) && isWithinPopup(event.target))) return
    // Nothing else takes it for its own part of the keys, as Escape.
    event.preventDefault()
    event.stopPropagation()
    does()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => act(event)
    window.addEventListener('keydown', listen, true)
    return () => window.removeEventListener('keydown', listen, true)
  }, [])
}

function pressedIn(event: KeyboardEvent) {
  const { altKey, ctrlKey, metaKey, shiftKey, key } = event
  const mod = isMod(event)
  const held = { Mod: mod, Alt: altKey, Control: ctrlKey && !mod, Meta: metaKey && !mod, Shift: shiftKey }
  return [
    ...Object.entries(held)
      .filter(([, isHeld]) => isHeld)
      .map(([name]) => name),
    // A letter is the same with the capitals locked.
    key.length === 1 ? key.toLowerCase() : key,
  ].join()
}

const isWithinPopup = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null
