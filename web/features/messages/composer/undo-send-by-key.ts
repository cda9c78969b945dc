import type { KeyboardEvent } from 'react'
import { pressedKeys } from '../../../browser/shortcuts.ts'
import { lastHeld } from '../outbox/outbox.ts'

/** Takes back a conversation's last message that has not been sent. Returns whether there was one. */
export function undoLastSend(conversation: string): boolean {
  const last = lastHeld(conversation)
  if (!last) return false
  import('../outbox/undo-send.ts').then(
    ({ undoSend }) => undoSend(last),
    (error) => console.error('Failed to load part of the page:', error),
  )
  return true
}

/**
 * In an empty text area, Mod+Z takes back the last message that has not been sent, unless something was typed since: then
 * the browser undoes that. Returns whether it took one back.
 */
export function undoSendByKey(event: KeyboardEvent<HTMLTextAreaElement>, conversation: string, isTyped: boolean) {
  if (isTyped || event.repeat || event.currentTarget.value !== '' || pressedKeys(event) !== 'Mod,z') return false
  if (!undoLastSend(conversation)) return false
  event.preventDefault()
  return true
}
