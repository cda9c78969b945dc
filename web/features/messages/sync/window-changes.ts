import type { Changes } from '#contract/changes'
import { applyUpdate, type MessageUpdate } from '../../../cache/message-update.ts'
import { insertMessages, type MessageWindow, mapWindow } from './message-window.ts'

/** Applies the event that follows the window's revision, and ignores older ones. Returns 'gap' if events are missing. */
export function applyEvent(window: MessageWindow, event: MessageUpdate): MessageWindow | 'gap' {
  const { rev, message } = event
  if (rev <= window.rev) return window
  if (rev > window.rev + 1) return 'gap'
  const next = message ? insertMessages(window, [message]) : window
  return { ...mapWindow(next, (message) => applyUpdate(message, event)), rev }
}

/**
 * Applies the changes since revision `afterRev`; events may have advanced the window since. Returns 'reload' if too much
 * changed, or if the server is behind `afterRev`: then it has another, older database.
 */
export function applyChanges(window: MessageWindow, changes: Changes, afterRev: number): MessageWindow | 'reload' {
  if ('reload' in changes || changes.rev < afterRev) return 'reload'
  const next = insertMessages(window, changes.messages)
  // If an older page set the window back meanwhile, it stays behind, because these changes begin after `afterRev`.
  return window.rev < afterRev ? next : { ...next, rev: Math.max(window.rev, changes.rev) }
}
