import { type PlainTextId, t } from '../../i18n/text.ts'
import { APPLE_MOD } from './modifier-key.ts'

const SIGNS: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑' }

/** Keys with a name that is printed on keyboards, or spoken, in the reader's language. */
const NAMES: Record<string, PlainTextId> = {
  Mod: 'keys.control',
  Shift: 'keys.shift',
  Enter: 'keys.enter',
  Escape: 'keys.escape',
  Backspace: 'keys.backspace',
  End: 'keys.end',
  PageUp: 'keys.pageUp',
}

/** The label of a key, such as 'Esc'; 'Mod' is ⌘ or Ctrl. */
export function keyLabel(key: string) {
  if (key === 'Mod' && APPLE_MOD) return APPLE_MOD
  const name = NAMES[key]
  return SIGNS[key] ?? (name ? t(name) : key.length === 1 ? key.toUpperCase() : key)
}

/** The label of keys that are pressed together: 'Shift+Escape' → 'Shift+Esc'. Labels stay as they are. */
export const keysLabel = (keys: string) => keys.split('+').map(keyLabel).join('+')
