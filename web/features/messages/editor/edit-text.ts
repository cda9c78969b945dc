import { type RefObject, useLayoutEffect } from 'react'

/** Browsers that support CSS `field-sizing` do this natively, and faster. */
const growsItself = globalThis.CSS?.supports('field-sizing', 'content') ?? false

/** Fits a text area's height to its text, up to its CSS maximum. Follows changes of its width. */
export function useAutoHeight(textarea: RefObject<HTMLTextAreaElement | null>, text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    if (textarea.current && !growsItself) grow(textarea.current)
  }, [textarea, text])
  useLayoutEffect(() => {
    const { current } = textarea
    if (!current || growsItself) return
    let width = current.clientWidth
    const observer = new ResizeObserver(() => {
      if (current.clientWidth === width) return
      width = current.clientWidth
      grow(current)
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [textarea])
}

function grow(textarea: HTMLTextAreaElement) {
  textarea.style.height = 'auto'
  textarea.style.height = `${textarea.scrollHeight}px`
}

/** Inserts text at the caret, or replaces the selection. */
export function insertAtCaret(textarea: HTMLTextAreaElement, text: string) {
  const { selectionStart: from, selectionEnd: to } = textarea
  changeText(textarea, { from, to, text })
}

/** Replaces a range of a text; `select` is the selection afterwards, by default the caret after the new text. */
export interface TextChange {
  from: number
  to: number
  text: string
  select?: [number, number]
}

/** Changes a text area as if the user had typed it, so that they can undo it. */
export function changeText(textarea: HTMLTextAreaElement, { from, to, text, select }: TextChange) {
  textarea.focus()
  textarea.setSelectionRange(from, to)
  // Deprecated, but the only way to keep the undo history.
  const isDone = text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text)
  if (!isDone) {
    textarea.setRangeText(text, from, to, 'end')
    textarea.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  if (select) textarea.setSelectionRange(...select)
}
