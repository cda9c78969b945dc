import type { Keys } from '../../../browser/shortcuts.ts'
import type { PlainTextId } from '../../../i18n/text.ts'
import { type ActionId, actionKeys } from './message-actions.ts'

interface WrittenKeys extends Keys {
  does: PlainTextId
  /** Only while messages can be taken back. */
  isUndoSend?: true
}

/** Pinning and unpinning share one entry, as do saving and removing, as do starting and stopping to read aloud. */
const actionHelp: Partial<Record<ActionId, PlainTextId>> = {
  react: 'messages.keys.react',
  reply: 'messages.actions.reply',
  edit: 'messages.keys.edit',
  quote: 'messages.actions.quote',
  forward: 'messages.actions.forward',
  pin: 'messages.keys.pin',
  save: 'messages.keys.save',
  remind: 'messages.actions.remind',
  markUnread: 'messages.actions.markUnread',
  readAloud: 'messages.keys.readAloud',
  delete: 'messages.keys.delete',
}

/** While a message has the focus. */
export const rowKeys: readonly WrittenKeys[] = [
  ...actionKeys.flatMap(({ id, key }) => {
    const does = actionHelp[id]
    return does ? [{ keys: [key], does }] : []
  }),
  { keys: ['ArrowUp'], does: 'messages.keys.previous' },
  { keys: ['ArrowDown'], does: 'messages.keys.next' },
]

export const inLater = { done: { key: 'D' }, remind: { key: 'M' }, remove: { key: 'Backspace' } } as const

/** On the page of what I saved for later. */
export const laterKeys: readonly WrittenKeys[] = [
  { keys: [inLater.done.key], does: 'later.keys.done' },
  { keys: [inLater.remind.key], does: 'messages.actions.remind' },
  { keys: [inLater.remove.key], does: 'later.remove' },
]

/** In a composer. */
export const composerKeys: readonly WrittenKeys[] = [
  { keys: ['Enter'], does: 'messages.composer.send' },
  { keys: ['Mod', 'Shift', 'Enter'], does: 'scheduled.sendLater' },
  { keys: ['Shift', 'Enter'], does: 'messages.keys.newLine' },
  { keys: ['ArrowUp'], does: 'messages.keys.editLast' },
  { keys: ['Mod', 'z'], does: 'messages.keys.undoSend', isUndoSend: true },
  { keys: ['Mod', 'b'], does: 'messages.format.bold' },
  { keys: ['Mod', 'i'], does: 'messages.format.italic' },
  { keys: ['Mod', 'Shift', 'c'], does: 'messages.format.code' },
  { keys: ['Mod', 'Shift', 'x'], does: 'messages.format.label' },
  { keys: ['Mod', 'u'], does: 'messages.composer.attach' },
]

/** Anywhere in a conversation. */
export const listKeys: readonly WrittenKeys[] = [
  { keys: ['End'], does: 'messages.keys.latest' },
  { keys: ['Shift', 'PageUp'], does: 'messages.keys.firstUnread' },
  { keys: ['Escape'], does: 'messages.keys.close' },
]
