import { preload } from '../../ui/lazy/lazy.tsx'
import { messageMenu, reminderDialog } from './actions/lazy-parts.ts'
import { attachmentTray, dropSign, newLineHint, typingLine } from './composer/lazy-parts.ts'
import { quoteTray } from './content/lazy-parts.ts'
import { preloadFormatting } from './editor/editor-keys.ts'
import { formatBar } from './editor/format-row.tsx'
import { jumpButton, waitingLine } from './list/lazy-parts.ts'
import { delivery, editForm, messageToolbar } from './row/lazy-parts.ts'

/** Prefetches code that the next key or click may need. */
export function preloadMessageParts() {
  const parts = [
    editForm,
    attachmentTray,
    quoteTray,
    dropSign,
    formatBar,
    newLineHint,
    typingLine,
    delivery,
    messageToolbar,
    messageMenu,
    reminderDialog,
    jumpButton,
    waitingLine,
  ]
  for (const load of parts) void preload<never>(load)
  void preloadFormatting()
  // With its code, a message can be deleted offline, if the connection returns before the time for Undo is over.
  for (const code of [
    import('./actions/quote-message.ts'),
    import('./actions/delete-soon.ts'),
    import('./actions/set-pin.ts'),
    import('./actions/later-actions.ts'),
    import('./row/toggle-reaction.ts'),
  ])
    code.catch((error) => console.error('Failed to load part of the page:', error))
}
