import { preload } from '../../ui/lazy/lazy.tsx'
import { messageMenu } from './actions/lazy-parts.ts'
import { attachmentTray, dropSign, newLineHint, typingLine } from './composer/lazy-parts.ts'
import { preloadFormatting } from './editor/editor-keys.ts'
import { formatBar } from './editor/format-row.tsx'
import { jumpButton, waitingLine } from './list/lazy-parts.ts'
import { delivery, editForm, messageToolbar } from './row/lazy-parts.ts'

/** Fetches the parts of messages that a key or click may need next, so that none of them has to wait. */
export function preloadMessageParts() {
  const parts = [
    editForm,
    attachmentTray,
    dropSign,
    formatBar,
    newLineHint,
    typingLine,
    delivery,
    messageToolbar,
    messageMenu,
    jumpButton,
    waitingLine,
  ]
  for (const load of parts) void preload<never>(load)
  void preloadFormatting()
  // Without a connection, a message can be deleted if it returns before the time for Undo is over.
  for (const code of [
    import('./actions/quote-message.ts'),
    import('./actions/delete-soon.ts'),
    import('./row/toggle-reaction.ts'),
  ])
    code.catch((error) => console.error('A part of the page could not be loaded:', error))
}
