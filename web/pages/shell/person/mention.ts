import { insertAtCaret } from '../../../features/messages/editor/edit-text.ts'

/** The composer nearest to an element: that of its thread, or else of its conversation; undefined if none can be used. */
export function composerNear(element: Element): HTMLTextAreaElement | undefined {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const found = [...at.querySelectorAll<HTMLTextAreaElement>('.composer-place textarea')].find(isUsable)
    if (found) return found
  }
  return undefined
}

/** Not behind a thread or the sidebar. */
const isUsable = (composer: HTMLTextAreaElement) =>
  !composer.closest('main[inert], main [inert]') && composer.checkVisibility({ visibilityProperty: true })

/** Writes a mention at the caret of a composer, with spaces where it would stick to a word. */
export function insertMention(composer: HTMLTextAreaElement, username: string) {
  const { value, selectionStart, selectionEnd } = composer
  const before = /[\p{L}\p{N}]$/u.test(value.slice(0, selectionStart)) ? ' ' : ''
  const hasSpace = value[selectionEnd] === ' '
  insertAtCaret(composer, `${before}@${username}${hasSpace ? '' : ' '}`)
  // After the space, because directly after the name the caret would trigger suggestions.
  if (hasSpace) composer.setSelectionRange(composer.selectionEnd + 1, composer.selectionEnd + 1)
}
