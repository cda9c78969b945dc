import { changeText } from '../editor/edit-text.ts'
import { quoteAt } from '../editor/quote.ts'
import { focusComposer } from '../outbox/open-conversations.ts'

/** Inserts a quote at the caret of a conversation's composer. Lazy-loaded. */
export function quoteInto(conversation: string, quoted: string) {
  // After two frames the menu has closed and returned the focus.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      focusComposer(conversation)
      const element = document.activeElement
      if (element instanceof HTMLTextAreaElement)
        changeText(element, quoteAt(element.value, element.selectionEnd, quoted))
    }),
  )
}
