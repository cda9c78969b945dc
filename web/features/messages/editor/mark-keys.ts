import type { KeyboardEvent } from 'react'
import { isMod } from '../../../ui/device/modifier-key.ts'

export type Mark = '**' | '*' | '~~' | '`'

/** The format of a shortcut: Mod+B bold, Mod+I italic, Mod+Shift+C code. */
export function markForKey(event: KeyboardEvent): Mark | undefined {
  const { key, code, altKey, shiftKey } = event
  if (altKey || !isMod(event)) return undefined
  // On keyboards of other scripts, the position counts.
  const letter = /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace('Key', '').toLowerCase()
  if (shiftKey) return letter === 'c' ? '`' : undefined
  return letter === 'b' ? '**' : letter === 'i' ? '*' : undefined
}
