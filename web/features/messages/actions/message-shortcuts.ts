import type { Keys } from '../../../browser/shortcuts.ts'
import { actionKeys } from './message-actions.ts'

interface WrittenKeys extends Keys {
  does: string
}

/** While a message has the focus. */
export const rowKeys: readonly WrittenKeys[] = [
  ...actionKeys,
  { keys: ['ArrowUp'], does: 'Previous message' },
  { keys: ['ArrowDown'], does: 'Next message' },
]

/** In a composer. */
export const composerKeys: readonly WrittenKeys[] = [
  { keys: ['Enter'], does: 'Send' },
  { keys: ['Shift', 'Enter'], does: 'New line' },
  { keys: ['ArrowUp'], does: 'Edit last message (empty message box)' },
  { keys: ['Mod', 'b'], does: 'Bold' },
  { keys: ['Mod', 'i'], does: 'Italic' },
  { keys: ['Mod', 'Shift', 'c'], does: 'Code' },
  { keys: ['Mod', 'Shift', 'x'], does: 'Formatting' },
  { keys: ['Mod', 'u'], does: 'Attach files' },
]

/** Anywhere in a conversation. */
export const listKeys: readonly WrittenKeys[] = [
  { keys: ['End'], does: 'Latest message' },
  { keys: ['Shift', 'PageUp'], does: 'First unread message' },
  { keys: ['Escape'], does: 'Close panel, or mark as read' },
]
