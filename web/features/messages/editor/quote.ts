import { focusBox } from '../outbox/drafts.ts'
import { changeText } from './edit-text.ts'

// Loaded late.

/** Puts a text as a quote where the caret of a box stands, in front of what is written behind it. */
export function quoteInto(box: string, quoted: string) {
  // After the menu that it was asked for in has closed and given the focus back.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      focusBox(box)
      const element = document.activeElement
      if (element instanceof HTMLTextAreaElement)
        changeText(element, quoteAt(element.value, element.selectionEnd, quoted))
    }),
  )
}

/** A quote begins a line, and an empty one is below it. */
export function quoteAt(text: string, caret: number, quoted: string) {
  const before = text.slice(0, caret)
  const start = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  const lines = quoted
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
  return { from: caret, to: caret, text: `${start}${lines.join('\n')}\n\n` }
}
